import { LogKeyError, type LogStore, type Workspace } from '@answer-evidence/ports';
import type { Config } from '../ground/config.ts';
import { StartError } from '../ground/start-error.ts';

type Examined = {
  readonly directory: { list(): Promise<readonly Workspace[]> };
  readonly storedLogs: Pick<LogStore, 'signer'>;
};

/** A start asks for so many keys; the others are compared when they sign first, as these are. */
const EXAMINED_MAX = 100;

/**
 * What is wrong with keys of logs outside of this process that are to sign: a sentence for each log, which says what to
 * do. A log whose key is absent or another one is not signed for; the others go on. Where no service of keys is set up,
 * only logs whose first key is outside are looked at. Throws `StartError` where nobody responds.
 */
export async function examineLogKeys(
  { directory, storedLogs }: Examined,
  config: Pick<Config, 'PKCS11_MODULE' | 'SERVICE_LOG_KEYS'>,
): Promise<readonly string[]> {
  const hasServices = hasLogKeyServices(config);
  const faults: string[] = [];
  let examined = 0;
  for (const { id, slug, vault } of await directory.list()) {
    if (!hasServices && vault.firstLedgerKey.examine === undefined) continue;
    const signer = await storedLogs.signer(id).catch(() => undefined);
    for (const { examine, lastTreeSize } of signer?.keys ?? []) {
      if (examine === undefined || lastTreeSize !== null || examined >= EXAMINED_MAX) continue;
      examined += 1;
      try {
        await examine();
      } catch (error) {
        if (!(error instanceof LogKeyError)) throw error;
        if (error.kind === 'away') throw new StartError(error.message, { cause: error });
        faults.push(`nothing is signed for the log of "${slug}": ${error.message}`);
      }
    }
  }
  return faults;
}

/** Whether the settings name a place for keys of logs outside of the process. */
export function hasLogKeyServices({ PKCS11_MODULE, SERVICE_LOG_KEYS }: Parameters<typeof examineLogKeys>[1]): boolean {
  return PKCS11_MODULE !== undefined || SERVICE_LOG_KEYS !== 'master-key';
}
