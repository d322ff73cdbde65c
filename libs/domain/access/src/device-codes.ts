import { EncodingError } from '@answer-evidence/encoding';
import { createSecretForm, SECRET_BYTES } from './secret-form.ts';

/** Bytes of the secret of a device code. */
export const DEVICE_SECRET_BYTES = SECRET_BYTES;
const FORM = createSecretForm('aed_', 'a device code', 0);

/** Consonants that are hard to mistake for each other, and make no words (RFC 8628 section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const USER_CODE_LETTERS = 8;
/** Bytes from which a user code is made. */
export const USER_CODE_BYTES = 32;
/** Bytes from here on would make some letters likelier than others. */
const FAIR_BYTES = 256 - (256 % LETTERS.length);

/** `aed_` and base64url of 32 secret bytes. */
export function formatDeviceCode(secret: Uint8Array): string {
  return FORM.format([], secret);
}

/** Reads exactly what `formatDeviceCode` writes; throws `EncodingError`, whose message holds nothing of the code. */
export function parseDeviceCode(text: string): Uint8Array {
  return FORM.parse(text).secret;
}

/** Eight letters of random bytes, each as likely as any other; undefined in the rare case that they are too few. */
export function createUserCode(random: Uint8Array): string | undefined {
  const letters = [...random].filter((byte) => byte < FAIR_BYTES).map((byte) => LETTERS[byte % LETTERS.length]);
  return letters.length < USER_CODE_LETTERS ? undefined : letters.slice(0, USER_CODE_LETTERS).join('');
}

/** A user code as people read it: `BCDF-GHJK`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, USER_CODE_LETTERS / 2)}-${code.slice(USER_CODE_LETTERS / 2)}`;
}

/** A user code as people type it, in either case and with what they put between letters. Throws `EncodingError`. */
export function parseUserCode(text: string): string {
  const code = text.replace(/[\s-]/g, '').toUpperCase();
  if (code.length !== USER_CODE_LETTERS || [...code].some((letter) => !LETTERS.includes(letter)))
    throw new EncodingError('not a user code');
  return code;
}
