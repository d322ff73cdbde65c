import { createVkey, ED25519, NoteError, parseVkey, type Vkey } from '@answer-evidence/note';
import { RekorError } from './rekor-error.ts';

/** A log that is believed: by which key, and what a trusted root says of where and how long it takes entries. */
export type RekorLog = {
  readonly vkey: Vkey;
  /** Null where the key alone is pinned. */
  readonly url: string | null;
  /** When it stops to take entries, in microseconds since 1970; null where that is not stated. */
  readonly retiredAt: number | null;
};

/** The key of a log as its name and its 32 bytes say. Throws `RekorError`. */
export function createLogKey(name: string, publicKey: Uint8Array): Vkey {
  return readKey(() => createVkey(name, ED25519, publicKey));
}

/** The key of a log in the text form of C2SP signed-note. Throws `RekorError`. */
export function parseLogKey(text: string): Vkey {
  return readKey(() => parseVkey(text));
}

function readKey(read: () => Vkey): Vkey {
  try {
    const vkey = read();
    if (vkey.type !== ED25519) throw new RekorError('the key of a log must be of the type Ed25519');
    return vkey;
  } catch (error) {
    if (error instanceof NoteError) throw new RekorError(error.reason);
    throw error;
  }
}
