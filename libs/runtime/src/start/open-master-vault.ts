import { join } from 'node:path';
import { createMasterKey, createMasterVault, parseMasterKey } from '@answer-evidence/node-crypto';
import { readOrCreateSecretFile } from '@answer-evidence/filesystem';
import type { MasterVault } from '@answer-evidence/ports';
import type pg from 'pg';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

const MASTER_KEY_BYTES = 32;
const CHECK_LABEL = 'master-key-check';
const CHECK_TEXT = new TextEncoder().encode('answer-evidence');

/**
 * The vault under the installation's master key: the one of `SERVICE_MASTER_KEY`, or of a key file that the first start makes. Throws
 * `StartError` when the database was made with another key.
 */
export async function openMasterVault(config: Config, pool: pg.Pool): Promise<MasterVault> {
  const { rows } = await pool.query<{ master_key_check: Uint8Array }>(
    'select master_key_check from answer_evidence.installation',
  );
  const [known] = rows;
  const vault = createMasterVault(await readMasterKey(config, known !== undefined));
  if (known === undefined) {
    await pool.query(
      'insert into answer_evidence.installation (master_key_check) values ($1) on conflict (singleton) do nothing',
      [vault.wrap(CHECK_LABEL, CHECK_TEXT)],
    );
    // Another process may have been first, with another key; what is stored now decides.
    return openMasterVault(config, pool);
  }
  try {
    vault.unwrap(CHECK_LABEL, known.master_key_check);
  } catch {
    const source = config.SERVICE_MASTER_KEY === undefined ? masterKeyFile(config) : 'SERVICE_MASTER_KEY';
    throw new StartError(`${source} is not the key that this database was made with; give the right one`);
  }
  return vault;
}

function masterKeyFile(config: Config): string {
  return join(config.SERVICE_DATA_DIR, 'master.key');
}

async function readMasterKey(config: Config, isNeeded: boolean): Promise<Uint8Array> {
  if (config.SERVICE_MASTER_KEY !== undefined) return parseMasterKey(config.SERVICE_MASTER_KEY);
  const file = masterKeyFile(config);
  try {
    const { secret } = await readOrCreateSecretFile(file, () => {
      if (isNeeded)
        throw new StartError(`the key of this database is not in ${file}; set SERVICE_MASTER_KEY or restore the file`);
      return createMasterKey();
    });
    if (secret.length !== MASTER_KEY_BYTES)
      throw new StartError(`${file} does not hold a key of ${MASTER_KEY_BYTES} bytes; restore it from a backup`);
    return secret;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(error instanceof Error ? error.message : `${file} cannot be read`);
  }
}
