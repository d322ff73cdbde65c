import { CreateKeyCommand, GetPublicKeyCommand, type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { LogKeyError, type LogKeyService } from '@answer-evidence/ports';
import { createKmsClient, describeKmsFailure, regionOf } from './kms-client.ts';

const SPEC = 'ECC_NIST_EDWARDS25519';
/** The DER form of an Ed25519 public key (RFC 8410): all but the key, which stands last. */
const SPKI_PREFIX = '302a300506032b6570032100';
const PUBLIC_KEY_BYTES = 32;

/**
 * Keys of logs in AWS KMS, in the region of the environment; a reference is the ARN of a key, which also says its
 * region. What takes longer than `deadlineMs`, with its repetitions, is given up.
 */
export function createKmsLogKeys({ deadlineMs }: { readonly deadlineMs: number }): LogKeyService {
  const clients = new Map<string, KMSClient>();
  function clientOf(region: string | undefined): KMSClient {
    const known = clients.get(region ?? '') ?? createKmsClient(region);
    clients.set(region ?? '', known);
    return known;
  }

  async function ask<T>(arn: string | undefined, send: (client: KMSClient, signal: AbortSignal) => Promise<T>) {
    try {
      return await send(clientOf(arn === undefined ? undefined : regionOf(arn)), AbortSignal.timeout(deadlineMs));
    } catch (error) {
      const key = arn === undefined ? 'a new key in KMS' : `the KMS key ${arn}`;
      const isLate = error instanceof Error && /^(AbortError|TimeoutError)$/.test(error.name);
      const { kind, message } = isLate
        ? { kind: 'away' as const, message: `KMS did not respond within ${deadlineMs} ms for ${key}` }
        : describeKmsFailure(key, error);
      throw new LogKeyError(kind, message, { cause: error });
    }
  }

  async function publicKeyOf(arn: string): Promise<Uint8Array> {
    const { PublicKey: spki = new Uint8Array(), KeySpec: spec } = await ask(arn, (client, abortSignal) =>
      client.send(new GetPublicKeyCommand({ KeyId: arn }), { abortSignal }),
    );
    const prefix = Buffer.from(spki.subarray(0, -PUBLIC_KEY_BYTES)).toString('hex');
    if (spec !== SPEC || prefix !== SPKI_PREFIX)
      throw new LogKeyError('refused', `the KMS key ${arn} is no Ed25519 key; use the one that the log names`);
    return spki.slice(-PUBLIC_KEY_BYTES);
  }

  return {
    name: 'AWS KMS',
    async createKey(label) {
      const { KeyMetadata: made } = await ask(undefined, (client, abortSignal) =>
        client.send(new CreateKeyCommand({ KeySpec: SPEC, KeyUsage: 'SIGN_VERIFY', Description: label }), {
          abortSignal,
        }),
      );
      const { Arn: reference } = made ?? {};
      if (reference === undefined) throw new LogKeyError('away', 'KMS made a key and did not name it');
      return { reference, publicKey: await publicKeyOf(reference) };
    },
    publicKeyOf,
    async sign(arn, message) {
      const command = new SignCommand({
        KeyId: arn,
        Message: message,
        // As RFC 8032 has it, and not over a digest.
        MessageType: 'RAW',
        SigningAlgorithm: 'ED25519_SHA_512',
      });
      const { Signature: signature } = await ask(arn, (client, abortSignal) => client.send(command, { abortSignal }));
      return signature ?? new Uint8Array();
    },
    close() {
      for (const client of clients.values()) client.destroy();
      return Promise.resolve();
    },
  };
}
