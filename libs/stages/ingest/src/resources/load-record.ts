import { assertApplication, type Caller } from '@answer-evidence/access';
import { type AnswerRecord, ServiceError } from '@answer-evidence/contracts';
import {
  readReceipts,
  type RedactedAsset,
  type StoredRecord,
  type TextDoor,
  type Workspace,
} from '@answer-evidence/ports';
import type { IngestDeps } from '../deps.ts';
import { toRecordResource } from './to-record-resource.ts';

/** A record of the caller's workspace. Throws `not_found`, or `application_not_allowed` for another application's. */
export async function findOwnRecord(deps: IngestDeps, caller: Caller, recordId: string): Promise<StoredRecord> {
  const stored = await deps.records.find(caller.workspaceId, recordId);
  if (stored === undefined)
    throw new ServiceError('not_found', 'no such record exists in this workspace; check its id');
  assertApplication(caller, stored.record);
  return stored;
}

/** The stored record as the API returns it by this door, with a receipt at the log's present size. */
export async function toRecordWithReceipt(
  deps: IngestDeps,
  workspace: Workspace,
  stored: StoredRecord,
  door: TextDoor,
): Promise<AnswerRecord> {
  const [[receipt], redacted] = await Promise.all([
    readReceipts(deps.logs, workspace, [stored.leaf]),
    findRedactedEvidence(deps, workspace, [stored]),
  ]);
  return toRecordResource(workspace, stored, door, receipt ?? '', deps.backupDays, redacted);
}

/** What went of evidence with redactions of these records. Most records have none, and nothing is asked for them. */
export async function findRedactedEvidence(
  deps: IngestDeps,
  workspace: Workspace,
  stored: readonly StoredRecord[],
): Promise<readonly RedactedAsset[]> {
  const ids = stored.flatMap(({ record, events }) =>
    events.some(({ event }) => event.event_type === 'redacted') ? [record.id] : [],
  );
  return ids.length === 0 ? [] : deps.evidenceErasures.redactedWith(workspace.id, ids);
}
