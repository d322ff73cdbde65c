import { verifySignature } from '@answer-evidence/node-crypto';
import { guardOutsideKeys, LogKeyError, type LogKeyService, type OutsideKeys } from '@answer-evidence/ports';
import type { Config } from '../ground/config.ts';
import { StartError } from '../ground/start-error.ts';
import { openTokenOf } from '../ground/token-of.ts';

/** The keys of logs that are outside of this process; anyone who opens them closes them. */
type OpenedLogKeys = { readonly keys: OutsideKeys; close(): Promise<void> };

/** Logs in to the token of the settings, if they name one. Throws `StartError` that says what to change. */
export async function openLogKeys(config: Config): Promise<OpenedLogKeys> {
  const token = await openTokenOf(config, config.SERVICE_SIGNING_MS);
  const services = new Map<string, LogKeyService>(token === undefined ? [] : [['pkcs11', token.keys]]);
  try {
    await token?.open();
  } catch (error) {
    await token?.close();
    if (!(error instanceof LogKeyError)) throw error;
    throw new StartError(error.message, { cause: error });
  }
  return {
    keys: guardOutsideKeys({
      serviceOf: (kind) => services.get(kind),
      newIn: config.SERVICE_LOG_KEYS === 'master-key' ? undefined : config.SERVICE_LOG_KEYS,
      verify: verifySignature,
    }),
    async close() {
      await token?.close();
    },
  };
}
