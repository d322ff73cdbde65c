import { actorOf } from '@answer-evidence/access';
import { commitPlain } from '@answer-evidence/commitments';
import { type ExportCore, PAGE_SIZE_MAX } from '@answer-evidence/contracts';
import { exportAnswerRecords } from '@answer-evidence/contracts/operations';
import { formatJsonLine, formatTimestamp } from '@answer-evidence/encoding';
import { createNoteCommand, exportCommand, guardCommand } from '@answer-evidence/ledger';
import { holdsTexts, newCoreIdentity, readReceipts } from '@answer-evidence/ports';
import {
  defineRoute,
  findExportRequest,
  planWholeReading,
  readCsvStyle,
  readWindow,
  type Route,
} from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { findRedactedEvidence } from '../../resources/load-record.ts';
import { toRecordResource } from '../../resources/to-record-resource.ts';
import { formatCsv } from './csv.ts';
import { CONTENTS_BYTES_MAX } from './export-act.ts';

const CONTENT_TYPES = { jsonl: 'application/jsonl; charset=utf-8', csv: 'text/csv; charset=utf-8' };

/** `GET /api/answer-audit-logs/export`: at most 200 whole records of a window, oldest first, and a ledger entry. */
export function exportRecordsRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...exportAnswerRecords,
    async handle(request) {
      const { query, caller } = request;
      const { format, bom, cell_length_max, approval_id: approvalId, ...asked } = query;
      const style = readCsvStyle(format, { bom, cell_length_max });
      const workspace = await deps.directory.get(caller.workspaceId);
      const approved = await findExportRequest(deps.approvals, workspace, approvalId);
      // What is recorded after the request is not in it.
      const until = approved?.request?.export?.created_before;
      const filters = readWindow({ ...(until === undefined ? {} : { created_before: until }), ...asked });
      const { door, entriesFor } = await planWholeReading(deps, { request, caller, operation: exportAnswerRecords });
      const found = await deps.records.export(workspace.id, filters, PAGE_SIZE_MAX, CONTENTS_BYTES_MAX);
      const receipts = await readReceipts(
        deps.logs,
        workspace,
        found.records.map(({ leaf }) => leaf),
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
        ...(approvalId === undefined ? {} : { approval_id: approvalId.toLowerCase() }),
        actor: actorOf(caller),
      };
      const read = entriesFor(found.records.filter((one) => holdsTexts(one)).map(({ record }) => record.id));
      // The log says that texts left before they do.
      const command = createNoteCommand(workspace.id, { type: 'export_made', seq: 0, core }, ...read);
      const guarded = guardCommand(command, core.actor, 'records.export');
      await deps.ledger.append(workspace.id, (settings) =>
        exportCommand(guarded, {
          workspaceId: workspace.id,
          settings,
          requester: core.actor,
          records: records.length,
          now: deps.clock.nowMicros(),
          approved: approved?.approve({ export: { ...filters, format, records: records.length } }),
          identity: newCoreIdentity(deps),
        }),
      );
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
