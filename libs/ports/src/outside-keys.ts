import { concatBytes, equalBytes, formatHex, utf8 } from '@answer-evidence/encoding';
import { LogKeyError, type LogKeyService, type OutsideKey, type OutsideKeys } from './log-key-service.ts';

/** Signatures that are kept: checkpoints are signed again for each reader, and a service may take its time. */
const KEPT_MAX = 2_000;
const TRIAL = utf8('answer-evidence/new-log-key/v1\n');

/** What guards a service: who has which key, which service makes new ones, and what verifies a signature. */
type Guarding = {
  /** The service of a kind such as `pkcs11`; undefined where it is not set up. */
  readonly serviceOf: (kind: string) => LogKeyService | undefined;
  /** The kind of the service that makes new keys; undefined: they are made in this process. */
  readonly newIn: string | undefined;
  readonly verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;
};

/**
 * Keys in services, each named by its kind and what the service calls it: `pkcs11:0a1b…`. No signature leaves this
 * function before it was verified by the public key that the log names. An equal text is not signed again while its
 * signature is kept, or under way: Ed25519 gives the same bytes.
 */
export function guardOutsideKeys({ serviceOf, newIn, verify }: Guarding): OutsideKeys {
  const kept = new Map<string, Promise<Uint8Array>>();

  async function signAnew({ reference, publicKey }: OutsideKey, message: Uint8Array): Promise<Uint8Array> {
    const { service, inside } = find(reference);
    const signature = await service.sign(inside, message);
    if (!verify(publicKey, message, signature))
      throw new LogKeyError(
        'refused',
        `${service.name} gave a signature that is not of the log's key; nothing was signed with it. Look whether it ` +
          'has the key under another name, or another key under this one',
      );
    return signature;
  }

  function find(reference: string): { readonly service: LogKeyService; readonly inside: string } {
    const [kind = ''] = reference.split(':', 1);
    const service = serviceOf(kind);
    if (service === undefined) throw new LogKeyError('refused', describeMissing(kind));
    return { service, inside: reference.slice(kind.length + 1) };
  }

  return {
    makesNew: newIn !== undefined,
    async create(label) {
      const service = serviceOf(newIn ?? '');
      if (service === undefined) throw new LogKeyError('refused', describeMissing(newIn ?? ''));
      const made = await service.createKey(label);
      const key = { reference: `${newIn ?? ''}:${made.reference}`, publicKey: made.publicKey };
      // A log must not be given a key that cannot sign.
      await signAnew(key, concatBytes(TRIAL, made.publicKey));
      return key;
    },
    signerOf: (key) => ({
      publicKey: key.publicKey,
      sign(text) {
        const message = typeof text === 'string' ? utf8(text) : text;
        const name = `${key.reference}\n${formatHex(message)}`;
        const known = kept.get(name);
        if (known !== undefined) return known;
        const signing = signAnew(key, message);
        kept.set(name, signing);
        const [oldest] = kept.keys();
        if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
        // A failure is not kept: the next reader asks again.
        signing.catch(() => kept.get(name) === signing && kept.delete(name));
        return signing;
      },
      async examine() {
        const { service, inside } = find(key.reference);
        if (equalBytes(await service.publicKeyOf(inside), key.publicKey)) return;
        throw new LogKeyError(
          'refused',
          `${service.name} has another key than the log (${formatHex(key.publicKey).slice(0, 16)}…) under ${inside}; ` +
            'restore the right one, or use the token that has it',
        );
      },
    }),
  };
}

function describeMissing(kind: string): string {
  return kind === 'pkcs11'
    ? 'a key of this log is in a PKCS#11 token; set PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE'
    : `a key of this log is in ${kind === '' ? 'a service' : kind}, which this release does not know; use the one that made it`;
}
