import {
  EncodingError,
  formatBase64Url,
  formatUuid,
  isUuid,
  parseBase64Url,
  parseHex,
} from '@answer-evidence/encoding';

const PREFIX = 'aeu_';
const ID_DIGITS = 32;
const SECRET_BYTES = 32;
const SECRET_AT = PREFIX.length + ID_DIGITS + 1;
const LENGTH = SECRET_AT + 43;

/** What a user API token says: the id of its row, and the 32 secret bytes whose SHA-256 that row holds. */
export type UserToken = { readonly tokenId: string; readonly secret: Uint8Array };

/** `aeu_<token id as 32 hex digits>_<base64url of 32 secret bytes>`. Throws `EncodingError` for anything else. */
export function formatUserToken(tokenId: string, secret: Uint8Array): string {
  if (!isUuid(tokenId)) throw new EncodingError('the id of a user token must be a UUID');
  if (secret.length !== SECRET_BYTES) throw new EncodingError('a user token must have 32 secret bytes');
  return `${PREFIX}${tokenId.replaceAll('-', '')}_${formatBase64Url(secret)}`;
}

/** Reads exactly what `formatUserToken` writes; throws `EncodingError`, whose message holds nothing of the token. */
export function parseUserToken(text: string): UserToken {
  if (text.length !== LENGTH || !isUserToken(text) || text.charAt(SECRET_AT - 1) !== '_') {
    throw new EncodingError('not a user token');
  }
  return {
    tokenId: formatUuid(parseHex(text.slice(PREFIX.length, SECRET_AT - 1), ID_DIGITS / 2)),
    secret: parseBase64Url(text.slice(SECRET_AT)),
  };
}

/** Whether the text claims to be a user token; an application JWT never begins so. */
export function isUserToken(text: string): boolean {
  return text.startsWith(PREFIX);
}
