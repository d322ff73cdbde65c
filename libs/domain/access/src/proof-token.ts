import {
  concatBytes,
  EncodingError,
  formatBase64Url,
  formatUuid,
  parseBase64Url,
  parseHex,
} from '@answer-evidence/encoding';

const PREFIX = 'ael_';
const ID_BYTES = 16;
const MAC_BYTES = 32;
const LENGTH = PREFIX.length + Math.ceil(((2 * ID_BYTES + MAC_BYTES) * 4) / 3);

/** What opens a link to a record: which link it is, and the workspace's MAC over what its entry says. */
export type ProofToken = { readonly workspaceId: string; readonly linkId: string; readonly mac: Uint8Array };

/** `ael_` and base64url of two UUIDs and a MAC of 32 bytes. Throws `EncodingError` for anything else. */
export function formatProofToken({ workspaceId, linkId, mac }: ProofToken): string {
  if (mac.length !== MAC_BYTES) throw new EncodingError('the MAC of a link must have 32 bytes');
  return PREFIX + formatBase64Url(concatBytes(bytesOf(workspaceId), bytesOf(linkId), mac));
}

/** Reads exactly what `formatProofToken` writes; throws `EncodingError`, whose message never quotes the token. */
export function parseProofToken(text: string): ProofToken {
  if (text.length !== LENGTH || !text.startsWith(PREFIX)) throw new EncodingError('not the token of a link');
  const bytes = parseBase64Url(text.slice(PREFIX.length));
  return {
    workspaceId: formatUuid(bytes.slice(0, ID_BYTES)),
    linkId: formatUuid(bytes.slice(ID_BYTES, 2 * ID_BYTES)),
    mac: bytes.slice(2 * ID_BYTES),
  };
}

function bytesOf(id: string): Uint8Array {
  return parseHex(id.replaceAll('-', ''), ID_BYTES);
}
