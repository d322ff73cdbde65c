import type { MarkedRecord } from '@answer-evidence/contracts';
import { listMarkedRecords } from '@answer-evidence/contracts/operations';
import { formatTimestamp } from '@answer-evidence/encoding';
import { openRecord } from '@answer-evidence/ledger';
import type { Attestations, ListedRecord, RecordMarks, Workspace } from '@answer-evidence/ports';
import { askLeafPage, defineRoute, narrowed, readWindow, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { claimedTimeOf } from '../../resources/claimed-time-of.ts';
import { toSummaryResource } from '../../resources/to-record-resource.ts';

/** `GET /api/search/records`: records with what tells them apart in a list, newest first, without texts. */
export function listMarkedRecordsRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...listMarkedRecords,
    async handle({ query, caller }) {
      const { page, size, cursor, ...wanted } = query;
      const filters = narrowed(readWindow(readWindow(wanted), 'answered'), caller);
      const workspace = await deps.directory.get(caller.workspaceId);
      const asked = askLeafPage(workspace.vault, { list: 'marked', ...filters }, { page, size, cursor });
      const [found, attestations] = await Promise.all([
        deps.records.list(workspace.id, filters, asked.page),
        deps.readAttestations(workspace.id),
      ]);
      const marks = await deps.records.marks(
        workspace.id,
        found.items.map(({ record }) => record.id),
      );
      return {
        status: 200,
        body: asked.show(found, (listed) => toMarked(workspace, listed, marks.get(listed.record.id), attestations)),
      };
    },
  });
}

function toMarked(
  workspace: Workspace,
  listed: ListedRecord,
  marks: RecordMarks | undefined,
  { witnessedSize, anchoredSize }: Attestations,
): MarkedRecord {
  const isBelow = (size: number | null) => (size === null ? null : listed.leaf.leaf_index < size);
  const sealed = listed.sealed && { ...listed.sealed, object_id: listed.record.id, texts: null };
  const answeredAt = claimedTimeOf(openRecord(workspace.vault, sealed).items);
  return {
    record: toSummaryResource(workspace, listed),
    is_corrected: marks?.events.has('correction_appended') === true,
    is_voided: marks?.events.has('voided') === true,
    is_redacted: marks?.events.has('redacted') === true,
    is_witnessed: isBelow(witnessedSize),
    is_anchored: isBelow(anchoredSize),
    reconciled: marks?.reconciled ?? null,
    answered_at: answeredAt === undefined ? null : formatTimestamp(answeredAt),
  };
}
