import { createMasterVault } from '@answer-evidence/node-crypto';
import type { Finding } from '@answer-evidence/ports';
import { createLogStore, createWorkspaceDirectory } from '@answer-evidence/postgres';
import type { Config } from '../ground/config.ts';
import { StartError } from '../ground/start-error.ts';
import { examineLogKeys, hasLogKeyServices } from '../open/examine-log-keys.ts';
import { openLogKeys } from '../open/open-log-keys.ts';
import { readMasterKey } from '../open/open-master-vault.ts';
import type { Pool } from '../open/pool-opener.ts';

const NAME = 'keys.logs';

/**
 * Logs in to the token of the settings, once, and asks for the key of each log that is to sign there. Nothing is said
 * where all keys of logs are in the service.
 */
export async function inspectLogKeys(config: Config, pool: Pool): Promise<readonly Finding[]> {
  try {
    const logKeys = await openLogKeys(config);
    try {
      const vault = createMasterVault(await readMasterKey(config, true), logKeys.keys);
      const directory = createWorkspaceDirectory(pool, vault, () => undefined);
      const faults = await examineLogKeys({ directory, storedLogs: createLogStore(pool, directory) }, config);
      if (faults.length > 0) return faults.map((text) => ({ name: NAME, outcome: 'FAIL', text }));
      return hasLogKeyServices(config) ? [{ name: NAME, outcome: 'PASS', text: describe(config) }] : [];
    } finally {
      await logKeys.close();
    }
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [{ name: NAME, outcome: 'FAIL', text: error.message }];
  }
}

function describe({ PKCS11_TOKEN: token, SERVICE_LOG_KEYS: place }: Config): string {
  const where = token === undefined ? 'AWS KMS' : `the token "${token}"`;
  const made = { 'master-key': 'in the service', pkcs11: 'in the token', 'aws-kms': 'in AWS KMS' }[place];
  return `${where} has the keys of the logs that it signs for; new keys are made ${made} (SERVICE_LOG_KEYS)`;
}
