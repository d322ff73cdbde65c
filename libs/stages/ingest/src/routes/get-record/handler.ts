import type { AnswerRecord } from '@answer-evidence/contracts';
import { getAnswerRecord } from '@answer-evidence/contracts/operations';
import type { WorkspaceVault } from '@answer-evidence/ports';
import { defineRoute, formatWeakTag, openTextDoor, type Route, textHeadersOf } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { findOwnRecord, toRecordWithReceipt } from '../../resources/load-record.ts';

/** `GET /api/answer-audit-logs/{answer_log_id}`: a record with its history and a fresh receipt. */
export function getRecordRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...getAnswerRecord,
    async handle(request) {
      const { params, caller } = request;
      const workspace = await deps.directory.get(caller.workspaceId);
      const stored = await findOwnRecord(deps, caller, params.answer_log_id);
      const door = await openTextDoor(deps, { request, caller, operation: getAnswerRecord }, stored);
      const record = await toRecordWithReceipt(deps, workspace, stored, door);
      const headers = { ETag: formatRecordTag(workspace.vault, record), ...textHeadersOf(door) };
      return { status: 200, headers, body: record };
    },
  });
}

/** Weak: a receipt is made anew at every read, and each is as good. Under a key, since tags get into logs. */
function formatRecordTag(vault: WorkspaceVault, record: AnswerRecord): string {
  return formatWeakTag(vault.mac('entity tag', [JSON.stringify({ ...record, receipt: '' })]));
}
