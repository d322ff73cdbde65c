import {
  concatBytes,
  EncodingError,
  formatBase64Url,
  formatUuid,
  parseBase64Url,
  parseHex,
} from '@answer-evidence/encoding';

const PREFIX = 'aep_';
const ID_BYTES = 16;
const SECRET_BYTES = 32;
const LENGTH = PREFIX.length + Math.ceil(((2 * ID_BYTES + SECRET_BYTES) * 4) / 3);

/** What the secret of a password link says: whose it is, and the 32 bytes whose SHA-256 is stored. */
export type PasswordSecret = {
  readonly workspaceId: string;
  readonly memberId: string;
  readonly secret: Uint8Array;
};

/** `aep_` and base64url of two UUIDs and a secret of 32 bytes. Throws `EncodingError` for anything else. */
export function formatPasswordSecret({ workspaceId, memberId, secret }: PasswordSecret): string {
  if (secret.length !== SECRET_BYTES) throw new EncodingError('a password secret must have 32 bytes');
  return PREFIX + formatBase64Url(concatBytes(bytesOf(workspaceId), bytesOf(memberId), secret));
}

/** Reads exactly what `formatPasswordSecret` writes; throws `EncodingError`, whose message never quotes the secret. */
export function parsePasswordSecret(text: string): PasswordSecret {
  if (text.length !== LENGTH || !text.startsWith(PREFIX)) throw new EncodingError('not a password secret');
  const bytes = parseBase64Url(text.slice(PREFIX.length));
  return {
    workspaceId: formatUuid(bytes.slice(0, ID_BYTES)),
    memberId: formatUuid(bytes.slice(ID_BYTES, 2 * ID_BYTES)),
    secret: bytes.slice(2 * ID_BYTES),
  };
}

function bytesOf(id: string): Uint8Array {
  return parseHex(id.replaceAll('-', ''), ID_BYTES);
}
