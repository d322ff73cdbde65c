import { existsSync } from 'node:fs';
import type pg from 'pg';
import { readOrCreateSecretFile } from '@answer-evidence/filesystem';
import { createMasterKey, createMasterVault, parseMasterKey } from '@answer-evidence/node-crypto';
import type { MasterVault, OutsideKeys } from '@answer-evidence/ports';
import type { Config } from '../ground/config.ts';
import type { Report } from '../ground/report.ts';
import { StartError } from '../ground/start-error.ts';
import { findNewMasterKey, masterKeyFile, newMasterKeyFile, promoteNewMasterKey } from './master-key-files.ts';

const MASTER_KEY_BYTES = 32;
/** The label of the value that recognises the master key. */
export const MASTER_KEY_CHECK = 'master-key-check';
const CHECK_TEXT = new TextEncoder().encode('answer-evidence');

/** The vault under the master key of `SERVICE_MASTER_KEY` or of a key file made at first. Throws `StartError`. */
export async function openMasterVault(
  config: Config,
  pool: pg.Pool,
  report: Report,
  outside: OutsideKeys,
): Promise<MasterVault> {
  const known = await findKeyCheck(pool);
  if (known === undefined) {
    const vault = createMasterVault(await readMasterKey(config, false));
    await pool.query(
      'insert into answer_evidence.installation (master_key_check) values ($1) on conflict (singleton) do nothing',
      [vault.wrap(MASTER_KEY_CHECK, CHECK_TEXT)],
    );
    // Another process may have been first, with another key; what is stored now decides.
    return openMasterVault(config, pool, report, outside);
  }
  // A key that was in the environment has no file to be found in: then only the new one is there.
  if (config.SERVICE_MASTER_KEY === undefined && !existsSync(masterKeyFile(config)))
    return openByNewKey(config, known, report, outside);
  const vault = createMasterVault(await readMasterKey(config, true), outside);
  if (isKeyOf(vault, known)) return vault;
  return openByNewKey(config, known, report, outside);
}

/** The value that recognises the master key of a database; undefined for a new one. */
export async function findKeyCheck(pool: pg.Pool): Promise<Uint8Array | undefined> {
  const there = await pool.query<{ is_there: boolean }>(
    `select to_regclass('answer_evidence.installation') is not null as is_there`,
  );
  if (there.rows[0]?.is_there !== true) return undefined;
  const { rows } = await pool.query<{ master_key_check: Uint8Array }>(
    'select master_key_check from answer_evidence.installation',
  );
  return rows[0]?.master_key_check;
}

/** Whether the value that recognises the master key opens under this one. */
export function isKeyOf(vault: Pick<MasterVault, 'unwrap'>, check: Uint8Array): boolean {
  try {
    vault.unwrap(MASTER_KEY_CHECK, check);
    return true;
  } catch {
    return false;
  }
}

/** Ends a change of the key that was cut off after everything had been wrapped by the new one. */
async function openByNewKey(
  config: Config,
  check: Uint8Array,
  report: Report,
  outside: OutsideKeys,
): Promise<MasterVault> {
  const source = config.SERVICE_MASTER_KEY === undefined ? masterKeyFile(config) : 'SERVICE_MASTER_KEY';
  const fresh = await readNewMasterKey(config);
  if (fresh === undefined || !isKeyOf(createMasterVault(fresh), check)) {
    // Says so where there is no file.
    await readMasterKey(config, true);
    throw new StartError(`${source} is not the key that this database was created with; provide the right key`);
  }
  if (config.SERVICE_MASTER_KEY !== undefined)
    throw new StartError(
      `SERVICE_MASTER_KEY is no longer the key of this database; the key in ${newMasterKeyFile(config)} is: unset SERVICE_MASTER_KEY`,
    );
  const retired = await promoteNewMasterKey(config);
  report(
    `a change of the master key was completed; the new key is in ${source}, the old one in ${retired ?? 'no file'}`,
  );
  return createMasterVault(fresh, outside);
}

/** The bytes of the master key that the settings name. Throws `StartError`. */
export async function readMasterKey(config: Config, isNeeded: boolean): Promise<Uint8Array> {
  if (config.SERVICE_MASTER_KEY !== undefined) return parseMasterKey(config.SERVICE_MASTER_KEY);
  const file = masterKeyFile(config);
  return withStartErrors(file, async () => {
    const { secret } = await readOrCreateSecretFile(file, () => {
      if (isNeeded)
        throw new StartError(`the key of this database is not in ${file}; set SERVICE_MASTER_KEY or restore the file`);
      return createMasterKey();
    });
    return secret;
  });
}

/** The new master key of a change that was begun, undefined when there is none. Throws `StartError`. */
export async function readNewMasterKey(config: Config): Promise<Uint8Array | undefined> {
  return withStartErrors(newMasterKeyFile(config), () => findNewMasterKey(config));
}

/** The key of a file, which must be of 32 bytes. Throws `StartError`, whose message holds nothing of the file. */
async function withStartErrors<Secret extends Uint8Array | undefined>(
  file: string,
  read: () => Promise<Secret>,
): Promise<Secret> {
  try {
    const secret = await read();
    if (secret !== undefined && secret.length !== MASTER_KEY_BYTES)
      throw new StartError(`${file} does not contain a key of ${MASTER_KEY_BYTES} bytes; restore it from a backup`);
    return secret;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(error instanceof Error ? error.message : `${file} cannot be read`);
  }
}
