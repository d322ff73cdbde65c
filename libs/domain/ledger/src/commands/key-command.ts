import type { LedgerKeyCore, ServiceError } from '@answer-evidence/contracts';
import type { LedgerKeyRow } from '@answer-evidence/tables';
import type { AppendCommand, Write } from '../append-command.ts';
import { placeWorkspaceEntry } from './workspace-entry.ts';

/**
 * Adds a key to the log, with its row, or retires one. `knownChanges` is the number of key changes at the time of
 * preparation; after another change the command is prepared again. A `ServiceError` is the reason of a refusal.
 */
export function createKeyCommand(
  workspaceId: string,
  knownChanges: number,
  core: LedgerKeyCore | ServiceError,
  row: LedgerKeyRow | undefined,
): AppendCommand {
  const placed =
    core instanceof Error
      ? undefined
      : placeWorkspaceEntry(workspaceId, { type: 'ledger_key_changed', seq: knownChanges + 1, core });
  const writes: readonly Write[] = row === undefined ? [] : [{ kind: 'insert', table: 'ledger_keys', row }];
  return {
    subject: workspaceId,
    entryIds: placed === undefined ? [] : [placed.entry.id],
    settingsVersion: null,
    reads: { series: 'ledger_key_changed' },
    sizeBytes: 1_000,
    decide(view) {
      if (view.lastOf('ledger_key_changed') !== knownChanges) return { kind: 'reprepare' };
      if (placed === undefined) return { kind: 'refuse', error: core as ServiceError };
      return { kind: 'append', entries: [placed.entry], writes: [placed.write, ...writes] };
    },
  };
}
