import type { LedgerKeyCore, ServiceError } from '@answer-evidence/contracts';
import type { LedgerKeyRow } from '@answer-evidence/tables';
import type { AppendCommand, Write } from '../append-command.ts';
import { placeWorkspaceEntry } from './workspace-entry.ts';

/** Adds or retires a log key; `knownChanges` when prepared, else again. A `ServiceError` is why it is refused. */
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
