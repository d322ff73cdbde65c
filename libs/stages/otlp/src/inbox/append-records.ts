import { createAcceptedRecordCommand } from '@answer-evidence/ledger';
import type { Ledger } from '@answer-evidence/ports';
import type { AcceptedItem } from './accepted-item.ts';

/** The settings that an item was prepared under are no longer in force. */
class SettingsChanged extends Error {
  override readonly name = 'SettingsChanged';
}

/**
 * Records an item that can make a record. True: the record of its key is its own. With a version, only while those
 * settings are in force: else throws `SettingsChanged`. Without one, what was accepted is recorded whatever they are.
 */
export async function appendRecord(
  ledger: Ledger,
  workspaceId: string,
  { record, applicationKey, idempotencyKey, fingerprint }: AcceptedItem,
  settingsVersion: number | null,
): Promise<boolean> {
  if (record === null) return false;
  const { ready, mac } = record;
  const row = {
    scope: `record:${applicationKey}`,
    idempotency_key: idempotencyKey,
    object_id: ready.row.id,
    fingerprint,
    mac,
  };
  let isPrepared = false;
  const outcome = await ledger.append(workspaceId, () => {
    if (isPrepared) throw new SettingsChanged('the settings have changed');
    isPrepared = true;
    return createAcceptedRecordCommand(row, ready, settingsVersion);
  });
  return outcome.kind === 'appended' || outcome.objectId === ready.row.id;
}
