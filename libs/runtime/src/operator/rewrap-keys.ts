import { parseArgs } from 'node:util';
import { readOrCreateSecretFile } from '@answer-evidence/filesystem';
import { createMasterKey, createMasterVault, createRewrapping, parseMasterKey } from '@answer-evidence/node-crypto';
import { type Rewrap, rewrapKeys } from '@answer-evidence/postgres';
import { assertDataDir } from '../ground/assert-data-dir.ts';
import { StartError } from '../ground/start-error.ts';
import { masterKeyFile, newMasterKeyFile, promoteNewMasterKey, setMasterKeyAside } from '../open/master-key-files.ts';
import { joinDatabase } from '../open/open-database.ts';
import { isKeyOf, MASTER_KEY_CHECK, readMasterKey, readNewMasterKey } from '../open/open-master-vault.ts';
import { labelOf } from '../token-keys/token-keys.ts';
import type { Operation, OperatorCommand } from './command.ts';

/** Changes the master key, not the secrets that it wraps. Refuses while a process of the service runs. */
export const rewrapKeysCommand: OperatorCommand = {
  name: 'keys-rewrap',
  usage: 'npm run operator -- keys-rewrap        (to SERVICE_NEW_MASTER_KEY, or to a new key file)',
  purpose: 'Changes the master key; the secrets that it wraps stay the same.',
  parse(args) {
    parseArgs({ args: [...args], options: {} });
    return run;
  },
};

async function run(operation: Operation): Promise<number> {
  const { config, report } = operation;
  await assertDataDir(config);
  const given = readGivenKey(operation);
  const database = await joinDatabase(config, report);
  try {
    const outcome = await rewrapKeys(database.url, (check) => decide(operation, given, check));
    if (outcome === 'empty') throw new StartError('there is no database yet; there is no key to change');
    if (typeof outcome === 'object')
      throw new StartError(
        `a process of the service is running (${outcome.connected} connections) and holds the old key; stop it first`,
      );
  } finally {
    await database.close();
  }
  await finish(operation, given);
  return 0;
}

/** The key of `SERVICE_NEW_MASTER_KEY`, undefined when a file is to hold it. */
function readGivenKey({ environment }: Operation): Uint8Array | undefined {
  const text = environment['SERVICE_NEW_MASTER_KEY'];
  if (text === undefined || text === '') return undefined;
  try {
    return parseMasterKey(text);
  } catch {
    throw new StartError(
      'SERVICE_NEW_MASTER_KEY must be base64 of 32 bytes (create one with: openssl rand -base64 32); correct or unset it',
    );
  }
}

/** Under the lock: which key is in force, and what to do. The new key is durable before anything is under it. */
async function decide(
  { config }: Operation,
  given: Uint8Array | undefined,
  check: Uint8Array,
): Promise<Rewrap | undefined> {
  const begun = given ?? (await readNewMasterKey(config));
  if (begun !== undefined && isKeyOf(createMasterVault(begun), check)) return undefined;
  const from = await readMasterKey(config, true);
  if (!isKeyOf(createMasterVault(from), check)) {
    const source = config.SERVICE_MASTER_KEY === undefined ? masterKeyFile(config) : 'SERVICE_MASTER_KEY';
    throw new StartError(`${source} is not the key that this database was created with; provide the right key`);
  }
  const to = given ?? (await readOrCreateSecretFile(newMasterKeyFile(config), createMasterKey)).secret;
  const rewrapping = createRewrapping(from, to);
  return {
    from: createMasterVault(from),
    to: createMasterVault(to),
    check: (wrapped) => rewrapping.installation(MASTER_KEY_CHECK, wrapped),
    tokenKey: (kid, wrapped) => rewrapping.installation(labelOf(kid), wrapped),
    workspace: (id, key, seed) => rewrapping.workspace(id, key, seed),
  };
}

/** Everything is under the new key: the files say so, too. The next start finishes what a crash leaves here. */
async function finish({ config, print }: Operation, given: Uint8Array | undefined): Promise<void> {
  const isNewInFile = given === undefined && (await readNewMasterKey(config)) !== undefined;
  const retired = isNewInFile ? await promoteNewMasterKey(config) : await setStaleFileAside(config, given);
  print('everything wrapped by the old master key is now wrapped by the new one');
  if (isNewInFile)
    print(
      `the new key is in ${masterKeyFile(config)}; unset SERVICE_MASTER_KEY and SERVICE_MASTER_KEY_WRAPPED if they are set`,
    );
  else if (given !== undefined)
    print('start the service with the new key as SERVICE_MASTER_KEY, or as SERVICE_MASTER_KEY_WRAPPED');
  if (retired !== undefined) print(`the old key is in ${retired}`);
  print('keep the old key as long as you keep backups from before this change');
}

/** Sets aside the old key's file, unless the service's key is in the environment and the file is another's. */
async function setStaleFileAside(
  config: Operation['config'],
  given: Uint8Array | undefined,
): Promise<string | undefined> {
  return given !== undefined && config.SERVICE_MASTER_KEY === undefined ? setMasterKeyAside(config) : undefined;
}
