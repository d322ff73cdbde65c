import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { type KeyWrapper, KeyWrapperError } from '@answer-evidence/ports';
import { createRoleCredentials } from './role-credentials.ts';

/** What is bound to everything that is wrapped: KMS refuses to unwrap it under anything else, and logs it. */
const contextOf = (purpose: string) => ({ service: 'answer-evidence', purpose });
const ATTEMPTS_MAX = 3;

/** The region of a key's ARN, which a key in another account or region needs; undefined for an id or alias. */
function regionOf(keyId: string): string | undefined {
  return /^arn:[\w-]+:kms:([a-z0-9-]+):/.exec(keyId)?.[1];
}

/** A key of AWS KMS, by its ARN, id or alias. The process needs `kms:Decrypt`, and `kms:Encrypt` to wrap. */
export function createKmsKeyWrapper(keyId: string): KeyWrapper {
  const region = regionOf(keyId);
  const credentials = createRoleCredentials(region);
  const client = new KMSClient({
    ...(region === undefined ? {} : { region }),
    maxAttempts: ATTEMPTS_MAX,
    async credentials() {
      const { accessKey, secretKey, sessionToken, expiresAtMs } = await credentials();
      return {
        accessKeyId: accessKey,
        secretAccessKey: secretKey,
        ...(sessionToken === undefined ? {} : { sessionToken }),
        ...(expiresAtMs === undefined ? {} : { expiration: new Date(expiresAtMs) }),
      };
    },
  });
  const ask = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      throw explain(keyId, error);
    }
  };
  return {
    name: keyId,
    async wrap(purpose, secret) {
      const { CiphertextBlob: wrapped } = await ask(() =>
        client.send(new EncryptCommand({ KeyId: keyId, Plaintext: secret, EncryptionContext: contextOf(purpose) })),
      );
      return wrapped ?? fail(keyId);
    },
    async unwrap(purpose, wrapped) {
      const { Plaintext: secret } = await ask(() =>
        client.send(
          new DecryptCommand({ KeyId: keyId, CiphertextBlob: wrapped, EncryptionContext: contextOf(purpose) }),
        ),
      );
      return secret ?? fail(keyId);
    },
  };
}

function fail(keyId: string): never {
  throw new KeyWrapperError('refused', `KMS gave nothing back for the key ${keyId}; look what answers in its place`);
}

/** What to do about an error of KMS, by its name; the messages may have anything in them. */
const REFUSALS: Readonly<Record<string, string>> = {
  InvalidCiphertextException: 'what is wrapped is not of this key and purpose, or was altered',
  IncorrectKeyException: 'what is wrapped is of another key',
  NotFoundException: 'there is no such key in this account and region',
  DisabledException: 'the key is disabled: enable it',
  KMSInvalidStateException: 'the key is about to be deleted, or waits for its material',
  InvalidKeyUsageException: 'the key is not a symmetric one for encryption',
  AccessDeniedException: 'this process may not use the key: allow kms:Decrypt (and kms:Encrypt to wrap) for its role',
  UnrecognizedClientException: 'KMS does not know the credentials of this process',
  InvalidSignatureException: 'the secret of the credentials is wrong, or the clock of this machine',
  ExpiredTokenException: 'the credentials of this process have ended',
};

function explain(keyId: string, error: unknown): KeyWrapperError {
  if (error instanceof Error && error.name === 'PlatformCredentialsError')
    return new KeyWrapperError('refused', `the KMS key ${keyId}: ${error.message}`, { cause: error });
  const name = error instanceof Error ? error.name : '';
  const isRegionMissing = error instanceof Error && error.message === 'Region is missing';
  const why = isRegionMissing ? 'its region is unknown: name the key by its ARN, or set AWS_REGION' : REFUSALS[name];
  if (why !== undefined) return new KeyWrapperError('refused', `the KMS key ${keyId}: ${why}`, { cause: error });
  return new KeyWrapperError('away', `KMS does not respond for the key ${keyId}${name === '' ? '' : ` (${name})`}`, {
    cause: error,
  });
}
