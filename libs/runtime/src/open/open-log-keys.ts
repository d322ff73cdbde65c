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
  const kms = createKmsOnDemand(config.SERVICE_SIGNING_MS);
  const services = new Map<string, LogKeyService>([
    ...(token === undefined ? [] : [['pkcs11', token.keys] as const]),
    ['aws-kms', kms],
  ]);
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
      await kms.close();
    },
  };
}

/** Loaded when a log has a key there, or is to get one: the client of AWS is large, and few need it. */
function createKmsOnDemand(deadlineMs: number): LogKeyService {
  let loading: Promise<LogKeyService> | undefined;
  const load = () =>
    (loading ??= import('@answer-evidence/aws/kms-log-keys').then(({ createKmsLogKeys }) =>
      createKmsLogKeys({ deadlineMs }),
    ));
  return {
    name: 'AWS KMS',
    createKey: async (label) => (await load()).createKey(label),
    publicKeyOf: async (reference) => (await load()).publicKeyOf(reference),
    sign: async (reference, message) => (await load()).sign(reference, message),
    close: async () => (await loading)?.close(),
  };
}
