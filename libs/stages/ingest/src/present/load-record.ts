import { type AnswerRecord, ServiceError } from '@answer-evidence/contracts';
import { assertApplication, type Caller } from '@answer-evidence/access';
import type { StoredRecord, Workspace } from '@answer-evidence/ports';
import type { IngestParts } from '../parts.ts';
import { presentRecord } from './present-record.ts';
import { readReceipts } from './receipts.ts';

/** A record of the caller's workspace. Throws `not_found`, or `application_not_allowed` for another application's. */
export async function findOwnRecord(parts: IngestParts, caller: Caller, recordId: string): Promise<StoredRecord> {
  const stored = await parts.records.find(caller.workspaceId, recordId);
  if (stored === undefined) throw new ServiceError('not_found', 'no such record');
  assertApplication(caller, stored.record.application_key);
  return stored;
}

/** The stored record as the API returns it, with a receipt at the log's present size. */
export async function presentWithReceipt(
  parts: IngestParts,
  workspace: Workspace,
  stored: StoredRecord,
): Promise<AnswerRecord> {
  const [receipt] = await readReceipts(parts.logs, workspace, [stored.leaf.leaf_index]);
  return presentRecord(workspace, stored, receipt ?? '', parts.backupDays);
}
