import type { LedgerKeyCore, ServiceError } from '@answer-evidence/contracts';
import type { LedgerKeyRow } from '@answer-evidence/tables';
import type { AppendCommand } from '../append-command.ts';
import { createSeriesCommand } from './series-command.ts';

/** Adds a key to the log, with its row, or retires one, or says why not; prepared after `knownChanges` of the keys. */
export function createKeyCommand(
  workspaceId: string,
  knownChanges: number,
  core: LedgerKeyCore | ServiceError,
  row: LedgerKeyRow | undefined,
): AppendCommand {
  return createSeriesCommand(workspaceId, 'ledger_key_changed', knownChanges, core, {
    sizeBytes: 1_000,
    writes: () => (row === undefined ? [] : [{ kind: 'insert', table: 'ledger_keys', row }]),
  });
}
