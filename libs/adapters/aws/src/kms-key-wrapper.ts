import { DecryptCommand, EncryptCommand } from '@aws-sdk/client-kms';
import { type KeyWrapper, KeyWrapperError } from '@answer-evidence/ports';
import { createKmsClient, describeKmsFailure, regionOf } from './kms-client.ts';

/** What is bound to everything that is wrapped: KMS refuses to unwrap it under anything else, and logs it. */
const contextOf = (purpose: string) => ({ service: 'answer-evidence', purpose });

/** A key of AWS KMS, by its ARN, id or alias. The process needs `kms:Decrypt`, and `kms:Encrypt` to wrap. */
export function createKmsKeyWrapper(keyId: string): KeyWrapper {
  const client = createKmsClient(regionOf(keyId));
  const ask = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      const { kind, message } = describeKmsFailure(`the KMS key ${keyId}`, error);
      throw new KeyWrapperError(kind, message, { cause: error });
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
