import { type KeyWrapper, KeyWrapperError } from '@answer-evidence/ports';
import { type Environment, readSecretFiles } from './secret-files.ts';
import { StartError } from './start-error.ts';

/** What a wrapped master key looks like: who unwraps it, by which key, and the bytes. */
export const WRAPPED_KEY = /^(aws-kms):([\w:/.-]{1,300})#([A-Za-z0-9+/]{1,12000}={0,2})$/;
/** Who wraps a key, by which of his keys. */
export const WRAPPER = /^(aws-kms):([\w:/.-]{1,300})$/;

/** What a master key is wrapped for; anyone who unwraps it names the same. */
const PURPOSE = 'master-key';
const WRAPPED_NAMES = ['SERVICE_MASTER_KEY', 'SERVICE_NEW_MASTER_KEY'] as const;

/** The key management service of a text such as `aws-kms:alias/evidence`. Throws `StartError` for another one. */
async function openKeyWrapper(text: string): Promise<KeyWrapper> {
  const [, , key] = WRAPPER.exec(text) ?? [];
  if (key === undefined) throw new StartError('the key that wraps must be named as aws-kms: and its ARN, id or alias');
  const { createKmsKeyWrapper } = await import('@answer-evidence/aws/kms');
  return createKmsKeyWrapper(key);
}

/** The text of a master key under a key that `wrapperText` names. Throws `StartError`. */
export async function wrapMasterKey(wrapperText: string, masterKey: Uint8Array): Promise<string> {
  const wrapper = await openKeyWrapper(wrapperText);
  return withStartErrors(async () => {
    const wrapped = await wrapper.wrap(PURPOSE, masterKey);
    // Something that nobody can unwrap is no key: it is tried before anybody relies on it.
    const back = await wrapper.unwrap(PURPOSE, wrapped);
    if (Buffer.compare(back, masterKey) !== 0)
      throw new StartError(`${wrapperText} does not give back what it was given; do not use it`);
    return `${wrapperText}#${Buffer.from(wrapped).toString('base64')}`;
  });
}

/**
 * The environment with the master keys in place of the wrapped ones, each unwrapped by the service that its text names.
 * Throws `StartError`.
 */
export async function unwrapMasterKeys(environment: Environment): Promise<Environment> {
  let opened = environment;
  for (const name of WRAPPED_NAMES) {
    const wrappedName = `${name}_WRAPPED`;
    const { [wrappedName]: text, [`${wrappedName}_FILE`]: file, ...rest } = opened;
    const wrapped = readSecretFiles({ [wrappedName]: text, [`${wrappedName}_FILE`]: file })[wrappedName] ?? '';
    if (wrapped === '') continue;
    const plain = [name, `${name}_FILE`].find((other) => (opened[other] ?? '') !== '');
    if (plain !== undefined) throw new StartError(`${plain} and ${wrappedName} are both set; unset one of them`);
    opened = { ...rest, [name]: await unwrap(name, wrapped) };
  }
  return opened;
}

async function unwrap(name: string, text: string): Promise<string> {
  const [, by, key, wrapped = ''] = WRAPPED_KEY.exec(text) ?? [];
  if (by === undefined)
    throw new StartError(
      `${name}_WRAPPED must be what npm run operator -- master-key-wrap prints; correct or unset it`,
    );
  const wrapper = await openKeyWrapper(`${by}:${String(key)}`);
  const secret = await withStartErrors(() => wrapper.unwrap(PURPOSE, Buffer.from(wrapped, 'base64')));
  return Buffer.from(secret).toString('base64');
}

async function withStartErrors<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof KeyWrapperError ? new StartError(error.message, { cause: error }) : error;
  }
}
