import { type KeyWrapper, KeyWrapperError } from '@answer-evidence/ports';
import { type Environment, readSecretFiles } from './secret-files.ts';
import { StartError } from './start-error.ts';
import { openTokenOf, type TokenSettings } from './token-of.ts';

/** What a wrapped master key looks like: who unwraps it, by which key, and the bytes. */
export const WRAPPED_KEY = /^(aws-kms|pkcs11):([\w:/. -]{1,300})#([A-Za-z0-9+/]{1,12000}={0,2})$/;
/** Who wraps a key, by which of his keys. */
export const WRAPPER = /^(aws-kms|pkcs11):([\w:/. -]{1,300})$/;

/** What a master key is wrapped for; anyone who unwraps it names the same. */
const PURPOSE = 'master-key';
/** To make a key, or to wrap one; starting the library of a token has its own time. */
const WRAPPING_MS = 20_000;
const WRAPPED_NAMES = ['SERVICE_MASTER_KEY', 'SERVICE_NEW_MASTER_KEY'] as const;

/** Somebody who wraps keys, until he is not needed any more. */
type OpenedWrapper = { readonly wrapper: KeyWrapper; close(): Promise<void> };

/** Who wraps by a text such as `aws-kms:alias/evidence` or `pkcs11:LABEL`. Throws `StartError` for another one. */
async function openKeyWrapper(text: string, environment: Environment): Promise<OpenedWrapper> {
  const [, by, key] = WRAPPER.exec(text) ?? [];
  if (key === undefined)
    throw new StartError(
      'the key that wraps must be named as aws-kms: and its ARN, id or alias, or pkcs11: and its label',
    );
  if (by === 'aws-kms') {
    const { createKmsKeyWrapper } = await import('@answer-evidence/aws/kms');
    return { wrapper: createKmsKeyWrapper(key), close: () => Promise.resolve() };
  }
  const token = await openTokenOf(readTokenSettings(environment), WRAPPING_MS);
  if (token === undefined)
    throw new StartError(
      'the master key is wrapped by a key in a PKCS#11 token: set PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE',
    );
  return { wrapper: token.wrapperOf(key), close: () => token.close() };
}

/** Read by themselves: the other settings may need the master key. */
function readTokenSettings(environment: Environment): TokenSettings {
  const valueOf = (name: keyof TokenSettings) => (environment[name] === '' ? undefined : environment[name]);
  const { PKCS11_PIN_FILE } = environment;
  return {
    PKCS11_MODULE: valueOf('PKCS11_MODULE'),
    PKCS11_TOKEN: valueOf('PKCS11_TOKEN'),
    PKCS11_PIN: valueOf('PKCS11_PIN') ?? readSecretFiles({ PKCS11_PIN_FILE })['PKCS11_PIN'],
    PKCS11_PACKAGE: valueOf('PKCS11_PACKAGE'),
  };
}

/** Wraps or unwraps, and lets the wrapper go. Throws `StartError`. */
async function withWrapper<T>(
  text: string,
  environment: Environment,
  action: (wrapper: KeyWrapper) => Promise<T>,
): Promise<T> {
  const opened = await openKeyWrapper(text, environment);
  try {
    return await withStartErrors(() => action(opened.wrapper));
  } finally {
    await opened.close();
  }
}

/** The text of a master key under a key that `wrapperText` names. Throws `StartError`. */
export async function wrapMasterKey(
  wrapperText: string,
  masterKey: Uint8Array,
  environment: Environment,
): Promise<string> {
  return withWrapper(wrapperText, environment, async (wrapper) => {
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
    opened = { ...rest, [name]: await unwrap(name, wrapped, environment) };
  }
  return opened;
}

async function unwrap(name: string, text: string, environment: Environment): Promise<string> {
  const [, by, key, wrapped = ''] = WRAPPED_KEY.exec(text) ?? [];
  if (by === undefined)
    throw new StartError(
      `${name}_WRAPPED must be what npm run operator -- master-key-wrap prints; correct or unset it`,
    );
  const bytes = Buffer.from(wrapped, 'base64');
  const secret = await withWrapper(`${by}:${String(key)}`, environment, (wrapper) => wrapper.unwrap(PURPOSE, bytes));
  return Buffer.from(secret).toString('base64');
}

async function withStartErrors<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof KeyWrapperError ? new StartError(error.message, { cause: error }) : error;
  }
}
