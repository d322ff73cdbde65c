import type pg from 'pg';
import { type MasterVault, VaultError } from '@answer-evidence/ports';
import { INSTALLATION, TOKEN_KEYS, type TokenKeyRow } from '@answer-evidence/tables';
import { isInstallationValid, type StoredInstallation } from './installation.ts';
import { columnsWithMac, damagedColumnsWithMac, isMacValid } from './rows/row-macs.ts';
import { readInstallation } from './session.ts';

/**
 * Names what is wrong with the rows that belong to no workspace: the installation's own, the keys that sign tokens, and
 * how many of those and of workspaces there must be. `labelOf` is what the seed of a key is wrapped under.
 */
export async function checkInstallation(
  pool: pg.Pool,
  vault: Pick<MasterVault, 'mac' | 'unwrap'>,
  labelOf: (kid: string) => string,
): Promise<readonly string[]> {
  const { installation, keys, workspaces } = await readInstallation(pool, async (query) => ({
    installation: (
      await query<StoredInstallation>(
        'check_installation',
        `select ${columnsWithMac(INSTALLATION)} from answer_evidence.installation`,
        [],
      )
    )[0],
    keys: await query<TokenKeyRow & { mac: Uint8Array | null }>(
      'check_token_signing_keys',
      `select ${damagedColumnsWithMac(TOKEN_KEYS)} from answer_evidence.token_signing_keys order by generation`,
      [],
    ),
    workspaces: (
      await query<{ n: number }>('check_workspaces', 'select count(*) as n from answer_evidence.workspaces', [])
    )[0]?.n,
  }));
  const findings: string[] = [];
  for (const key of keys) {
    const name = `the token signing key of generation ${key.generation}`;
    if (!isMacValid(vault, TOKEN_KEYS, key)) findings.push(`${name}: its MAC is missing or wrong`);
    if (!opens(vault, labelOf(key.kid), key.wrapped_seed)) findings.push(`${name}: its seed does not open`);
  }
  if (!isInstallationValid(vault, installation)) {
    findings.push('the row of the installation: its MAC is missing or wrong');
    return findings;
  }
  const compare = (what: string, expected: number, actual: number | undefined) => {
    if (expected !== actual) findings.push(`${what}: ${expected} were made, ${actual ?? 0} are stored`);
  };
  compare('workspaces', installation.workspaces, workspaces);
  compare('token signing keys', installation.token_keys, keys.length);
  return findings;
}

function opens(vault: Pick<MasterVault, 'unwrap'>, label: string, wrapped: Uint8Array): boolean {
  try {
    vault.unwrap(label, wrapped);
    return true;
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    return false;
  }
}
