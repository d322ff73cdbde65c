import { createCipheriv, createDecipheriv, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What KMS does other than it should: nothing, or a signature that is wrong, or no response, or a disabled key. */
export type KmsFault = 'wrong-signature' | 'silent' | 'disabled' | 'other-key' | undefined;

type Asked = Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, unknown>>;

/** KMS refuses by the name of an exception. */
export class KmsRefusal extends Error {
  override readonly name = 'KmsRefusal';
}

const ARN = /^arn:aws:kms:eu-west-1:111122223333:key\//;
const MESSAGE_BYTES_MAX = 4_096;

/** The keys of KMS: one that wraps, `alias/evidence`, which knows its context, and those that are made to sign. */
export function createFakeKms() {
  const wrapping = randomBytes(32);
  const keys = new Map<string, { readonly publicKey: KeyObject; readonly privateKey: KeyObject }>();
  let fault: KmsFault;

  const textOf = (asked: Asked, name: string): string => {
    const value = asked[name];
    if (typeof value !== 'string') throw new KmsRefusal('ValidationException');
    return value;
  };
  const assertWrapping = (asked: Asked): string => {
    if (textOf(asked, 'KeyId') !== 'alias/evidence') throw new KmsRefusal('NotFoundException');
    return JSON.stringify(Object.entries(asked['EncryptionContext'] ?? {}));
  };
  const findKey = (asked: Asked) => {
    const key = keys.get(textOf(asked, 'KeyId'));
    if (key === undefined) throw new KmsRefusal('NotFoundException');
    if (fault === 'disabled') throw new KmsRefusal('DisabledException');
    return key;
  };

  const actions: Readonly<Record<string, (asked: Asked) => Answer>> = {
    Encrypt(asked) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', wrapping, nonce).setAAD(Buffer.from(assertWrapping(asked)));
      const sealed = Buffer.concat([cipher.update(Buffer.from(textOf(asked, 'Plaintext'), 'base64')), cipher.final()]);
      const blob = Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64');
      return { KeyId: asked['KeyId'], CiphertextBlob: blob };
    },
    Decrypt(asked) {
      const context = assertWrapping(asked);
      const blob = Buffer.from(textOf(asked, 'CiphertextBlob'), 'base64');
      try {
        const opening = createDecipheriv('aes-256-gcm', wrapping, blob.subarray(0, 12))
          .setAAD(Buffer.from(context))
          .setAuthTag(blob.subarray(-16));
        const secret = Buffer.concat([opening.update(blob.subarray(12, -16)), opening.final()]);
        return { KeyId: asked['KeyId'], Plaintext: secret.toString('base64') };
      } catch {
        throw new KmsRefusal('InvalidCiphertextException');
      }
    },
    CreateKey(asked) {
      if (asked['KeySpec'] !== 'ECC_NIST_EDWARDS25519' || asked['KeyUsage'] !== 'SIGN_VERIFY')
        throw new KmsRefusal('ValidationException');
      const arn = `arn:aws:kms:eu-west-1:111122223333:key/${String(keys.size).padStart(8, '0')}`;
      keys.set(arn, generateKeyPairSync('ed25519'));
      return { KeyMetadata: { KeyId: arn.replace(ARN, ''), Arn: arn, KeySpec: asked['KeySpec'], Enabled: true } };
    },
    GetPublicKey(asked) {
      const { publicKey } = fault === 'other-key' ? generateKeyPairSync('ed25519') : findKey(asked);
      const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
      return { KeyId: asked['KeyId'], PublicKey: spki, KeySpec: 'ECC_NIST_EDWARDS25519', KeyUsage: 'SIGN_VERIFY' };
    },
    Sign(asked) {
      const { privateKey } = findKey(asked);
      // RAW is what makes it Ed25519 of RFC 8032, and not of a digest.
      if (asked['SigningAlgorithm'] !== 'ED25519_SHA_512' || asked['MessageType'] !== 'RAW')
        throw new KmsRefusal('InvalidKeyUsageException');
      const message = Buffer.from(textOf(asked, 'Message'), 'base64');
      if (message.length === 0 || message.length > MESSAGE_BYTES_MAX) throw new KmsRefusal('ValidationException');
      const signature = sign(null, message, privateKey);
      if (fault === 'wrong-signature') signature[3] = (signature[3] ?? 0) ^ 1;
      return { KeyId: asked['KeyId'], Signature: signature.toString('base64'), SigningAlgorithm: 'ED25519_SHA_512' };
    },
  };

  return {
    /** What KMS answers to a request of `TrentService`; undefined: nothing at all. Throws `KmsRefusal`. */
    answer(target: string, body: Buffer): Answer | undefined {
      if (fault === 'silent') return undefined;
      const action = actions[target.replace('TrentService.', '')];
      if (action === undefined) throw new KmsRefusal('UnknownOperationException');
      return action(JSON.parse(body.toString()) as Asked);
    },
    become(next: KmsFault): void {
      fault = next;
    },
  };
}
