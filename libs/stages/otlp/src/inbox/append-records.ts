import { createAcceptedRecordCommand, recordScope } from '@answer-evidence/ledger';
import type { AppendResult, Ledger } from '@answer-evidence/ports';
import type { AcceptedItem } from './accepted-item.ts';

/** What became of an item. `isRecorded`: the record of its key is its own. */
type Recorded = { readonly isRecorded: boolean; readonly error?: unknown };

const NOT_RECORDED: Recorded = { isRecorded: false };
const RECORDED: Recorded = { isRecorded: true };

/**
 * Records those items that can make a record, in their order; what became of each. With a version, one is recorded only
 * while those settings are in force; without one, what was accepted is recorded whatever they are.
 */
export async function appendRecords(
  ledger: Ledger,
  workspaceId: string,
  items: readonly AcceptedItem[],
  settingsVersion: number | null,
): Promise<readonly Recorded[]> {
  const commands = items.flatMap((item) => commandOf(item, settingsVersion) ?? []);
  const results = await ledger.appendAll(workspaceId, commands);
  let judged = 0;
  return items.map(({ record }) => (record === null ? NOT_RECORDED : judge(record, results[judged++])));
}

function commandOf(
  { record, applicationKey, idempotencyKey, fingerprint, call }: AcceptedItem,
  settingsVersion: number | null,
) {
  if (record === null) return undefined;
  const { ready, mac } = record;
  const row = {
    scope: recordScope(applicationKey),
    idempotency_key: idempotencyKey,
    object_id: ready.row.id,
    fingerprint,
    mac,
  };
  return createAcceptedRecordCommand(row, ready, settingsVersion, call);
}

function judge({ ready }: NonNullable<AcceptedItem['record']>, result: AppendResult | undefined): Recorded {
  switch (result?.kind) {
    case 'appended':
      return RECORDED;
    case 'replayed':
      return result.objectId === ready.row.id ? RECORDED : NOT_RECORDED;
    case 'failed':
      return { isRecorded: false, error: result.error };
    case 'reprepare':
      return NOT_RECORDED;
    case undefined:
      throw new Error('every command has a result');
  }
}
