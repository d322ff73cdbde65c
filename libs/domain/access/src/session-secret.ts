import { hmacSha256, sha256 } from '@answer-evidence/digest';
import { concatBytes, formatBase64Url, utf8 } from '@answer-evidence/encoding';
import { createSecretForm, SECRET_BYTES } from './secret-form.ts';

/** Bytes of the secret of a session, and of the salt beside it. */
export const SESSION_SECRET_BYTES = SECRET_BYTES;
const FORM = createSecretForm('aec_', 'a session secret', 1);

/** What the cookie of a session says: in which workspace it is, and the 32 bytes whose SHA-256 is stored. */
export type SessionSecret = { readonly workspaceId: string; readonly secret: Uint8Array };

/** `aec_` and base64url of a UUID and 32 secret bytes. Throws `EncodingError` for anything else. */
export function formatSessionSecret({ workspaceId, secret }: SessionSecret): string {
  return FORM.format([workspaceId], secret);
}

/** Reads exactly what `formatSessionSecret` writes; throws `EncodingError`, whose message never quotes the secret. */
export function parseSessionSecret(text: string): SessionSecret {
  const { ids, secret } = FORM.parse(text);
  const [workspaceId = ''] = ids;
  return { workspaceId, secret };
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
