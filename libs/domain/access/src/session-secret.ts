import { hmacSha256, sha256 } from '@answer-evidence/digest';
import {
  concatBytes,
  EncodingError,
  formatBase64Url,
  formatUuid,
  parseBase64Url,
  parseHex,
  utf8,
} from '@answer-evidence/encoding';

const PREFIX = 'aec_';
const ID_BYTES = 16;
/** Bytes of the secret of a session, and of the salt beside it. */
export const SESSION_SECRET_BYTES = 32;
const LENGTH = PREFIX.length + ((ID_BYTES + SESSION_SECRET_BYTES) * 4) / 3;

/** What the cookie of a session says: in which workspace it is, and the 32 bytes whose SHA-256 is stored. */
export type SessionSecret = { readonly workspaceId: string; readonly secret: Uint8Array };

/** `aec_` and base64url of a UUID and 32 secret bytes. Throws `EncodingError` for anything else. */
export function formatSessionSecret({ workspaceId, secret }: SessionSecret): string {
  if (secret.length !== SESSION_SECRET_BYTES) throw new EncodingError('a session secret must have 32 bytes');
  return PREFIX + formatBase64Url(concatBytes(parseHex(workspaceId.replaceAll('-', ''), ID_BYTES), secret));
}

/** Reads exactly what `formatSessionSecret` writes; throws `EncodingError`, whose message never quotes the secret. */
export function parseSessionSecret(text: string): SessionSecret {
  if (text.length !== LENGTH || !text.startsWith(PREFIX)) throw new EncodingError('not a session secret');
  const bytes = parseBase64Url(text.slice(PREFIX.length));
  return { workspaceId: formatUuid(bytes.slice(0, ID_BYTES)), secret: bytes.slice(ID_BYTES) };
}

/** What a session is stored under. */
export function sessionKeyOf(secret: Uint8Array): Uint8Array {
  return sha256(secret);
}

/** The secret of the session's token: nobody has it who lacks the cookie, or the stored salt. */
export function sessionTokenSecretOf(secret: Uint8Array, salt: Uint8Array): Uint8Array {
  return hmacSha256(secret, concatBytes(utf8('answer-evidence console token\n'), salt));
}

/** What the pages of the session send with each change; pages of other sites cannot know it. */
export function csrfTokenOf(secret: Uint8Array): string {
  return formatBase64Url(hmacSha256(secret, 'answer-evidence console csrf'));
}
