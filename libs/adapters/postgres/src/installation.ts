import { type MasterVault, StoredDamageError } from '@answer-evidence/ports';
import { INSTALLATION, type InstallationRow } from '@answer-evidence/tables';
import { columnsWithMac, isMacValid, macOfRow } from './rows/row-macs.ts';
import type { Query } from './session.ts';

/** The installation's row as it is stored; without counts and MAC until the first start has sealed it. */
export type StoredInstallation = { readonly [Name in keyof InstallationRow]: InstallationRow[Name] | null } & {
  readonly mac: Uint8Array | null;
};

/** Reads the installation's row and locks it until the transaction ends. */
export async function lockInstallation(query: Query): Promise<StoredInstallation | undefined> {
  const [row] = await query<StoredInstallation>(
    'lock_installation',
    `select ${columnsWithMac(INSTALLATION)} from answer_evidence.installation for update`,
    [],
  );
  return row;
}

/** Whether the row is the one that a holder of the master key wrote. */
export function isInstallationValid(
  vault: Pick<MasterVault, 'mac'>,
  row: StoredInstallation | undefined,
): row is StoredInstallation & InstallationRow {
  return row !== undefined && row.mac !== null && isMacValid(vault, INSTALLATION, row as InstallationRow & typeof row);
}

/** Writes the counts and the MAC. */
export async function writeCounts(query: Query, vault: Pick<MasterVault, 'mac'>, row: InstallationRow): Promise<void> {
  await query(
    'write_installation',
    'update answer_evidence.installation set workspaces = $1, token_keys = $2, mac = $3',
    [row.workspaces, row.token_keys, macOfRow(vault, INSTALLATION, row)],
  );
}

/** Counts one more row, in the transaction that inserts it. Throws `StoredDamageError` for counts that were altered. */
export async function countOne(
  query: Query,
  vault: Pick<MasterVault, 'mac'>,
  counted: 'workspaces' | 'token_keys',
): Promise<void> {
  const row = await lockInstallation(query);
  if (!isInstallationValid(vault, row))
    throw new StoredDamageError('the MAC of the row of the installation is missing or wrong');
  await writeCounts(query, vault, { ...row, [counted]: row[counted] + 1 });
}
