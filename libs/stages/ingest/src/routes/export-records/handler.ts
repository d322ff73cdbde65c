import { actorOf } from '@answer-evidence/access';
import { commitPlain } from '@answer-evidence/commitments';
import { type ExportCore, PAGE_SIZE_MAX } from '@answer-evidence/contracts';
import { exportAnswerRecords } from '@answer-evidence/contracts/operations';
import { formatJsonLine, formatTimestamp } from '@answer-evidence/encoding';
import { createNoteCommand, guardCommand } from '@answer-evidence/ledger';
import { holdsTexts, newCoreIdentity, readReceipts } from '@answer-evidence/ports';
import {
  authenticated,
  defineRoute,
  planWholeReading,
  readCsvStyle,
  readWindow,
  type Route,
} from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { findRedactedEvidence } from '../../resources/load-record.ts';
import { toRecordResource } from '../../resources/to-record-resource.ts';
import { formatCsv } from './csv.ts';

const CONTENT_TYPES = { jsonl: 'application/jsonl; charset=utf-8', csv: 'text/csv; charset=utf-8' };

/** Most contents of one export, held in memory some times over: 200 full records would be gigabytes. */
const CONTENTS_BYTES_MAX = 32 * 1024 * 1024;

/** `GET /api/answer-audit-logs/export`: at most 200 whole records of a window, oldest first, and a ledger entry. */
export function exportRecordsRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...exportAnswerRecords,
    async handle(request) {
      const { query } = request;
      const caller = authenticated(request.caller);
      const { format, bom, cell_length_max, ...asked } = query;
      const style = readCsvStyle(format, { bom, cell_length_max });
      const filters = readWindow(asked);
      const workspace = await deps.directory.get(caller.workspaceId);
      const { door, entriesFor } = await planWholeReading(deps, { request, caller, operation: exportAnswerRecords });
      const found = await deps.records.export(workspace.id, filters, PAGE_SIZE_MAX, CONTENTS_BYTES_MAX);
      const receipts = await readReceipts(
        deps.logs,
        workspace,
        found.records.map(({ leaf }) => leaf.leaf_index),
      );
      const redacted = Map.groupBy(
        await findRedactedEvidence(deps, workspace, found.records),
        ({ recordId }) => recordId,
      );
      const identity = newCoreIdentity(deps);
      const records = found.records.map((stored, n) =>
        toRecordResource(
          workspace,
          stored,
          door,
          receipts[n] ?? '',
          deps.backupDays,
          redacted.get(stored.record.id) ?? [],
        ),
      );
      const content = format === 'csv' ? formatCsv(records, style) : records.map(formatJsonLine).join('');
      const core: ExportCore = {
        ...identity,
        format,
        filters,
        records: records.length,
        content_hash: commitPlain(content),
        actor: actorOf(caller),
      };
      const read = entriesFor(found.records.filter((one) => holdsTexts(one)).map(({ record }) => record.id));
      // The log says that texts left before they do.
      const command = createNoteCommand(workspace.id, { type: 'export_made', seq: 0, core }, ...read);
      await deps.ledger.append(workspace.id, () => guardCommand(command, core.actor, 'records.export'));
      const next = found.nextCreatedAt;
      return {
        status: 200,
        contentType: CONTENT_TYPES[format],
        headers: {
          'Content-Disposition': `attachment; filename="answer-audit-logs.${format}"`,
          'Export-Truncated': String(next !== undefined),
          'Export-Matching': String(found.matching),
          ...(next === undefined ? {} : { 'Export-Next-Created-After': formatTimestamp(next) }),
        },
        body: new TextEncoder().encode(content),
      };
    },
  });
}
