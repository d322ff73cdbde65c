import { formatHex, utf8 } from '@answer-evidence/encoding';
import type { createMlDsa44Signer } from './ml-dsa-44.ts';

/** A key in this process: it signs at once. */
type SignerHere = ReturnType<typeof createMlDsa44Signer>;

/** As many checkpoints as a page of them has, several times; 2.4 KB each. */
const REMEMBERED_MAX = 256;

/**
 * A signer that gives what it signed last again: a signature of ML-DSA-44 costs about a millisecond, and the same few
 * checkpoints are read over and over. It is for messages that are public.
 */
export function rememberSignatures(signer: SignerHere): SignerHere {
  /** By the hex of the message, the one signed last at the end. */
  const remembered = new Map<string, Uint8Array>();
  return {
    publicKey: signer.publicKey,
    sign(message) {
      const name = formatHex(typeof message === 'string' ? utf8(message) : message);
      const known = remembered.get(name);
      if (known !== undefined) return known;
      const signature = signer.sign(message);
      const [oldest] = remembered.keys();
      if (remembered.size >= REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
      remembered.set(name, signature);
      return signature;
    },
  };
}
