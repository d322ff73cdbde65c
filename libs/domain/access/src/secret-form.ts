import {
  concatBytes,
  EncodingError,
  formatBase64Url,
  formatUuid,
  parseBase64Url,
  parseHex,
} from '@answer-evidence/encoding';

const ID_BYTES = 16;
/** Bytes of every secret that lets somebody in. */
export const SECRET_BYTES = 32;

/** How a secret is written: a prefix, and base64url of so many UUIDs and 32 secret bytes. `noun` is what it is. */
export function createSecretForm(prefix: string, noun: string, idCount: number) {
  const length = prefix.length + Math.ceil(((idCount * ID_BYTES + SECRET_BYTES) * 4) / 3);
  return {
    /** Throws `EncodingError` for ids and bytes of another form. */
    format: (ids: readonly string[], secret: Uint8Array): string => {
      if (secret.length !== SECRET_BYTES) throw new EncodingError(`${noun} must have ${SECRET_BYTES} secret bytes`);
      return prefix + formatBase64Url(concatBytes(...ids.map(bytesOf), secret));
    },
    /** Reads exactly what `format` writes; throws `EncodingError`, whose message never quotes the text. */
    parse: (text: string): { readonly ids: readonly string[]; readonly secret: Uint8Array } => {
      if (text.length !== length || !text.startsWith(prefix)) throw new EncodingError(`not ${noun}`);
      const bytes = parseBase64Url(text.slice(prefix.length));
      const ids = Array.from({ length: idCount }, (_, n) => formatUuid(bytes.slice(n * ID_BYTES, (n + 1) * ID_BYTES)));
      return { ids, secret: bytes.slice(idCount * ID_BYTES) };
    },
  };
}

function bytesOf(id: string): Uint8Array {
  return parseHex(id.replaceAll('-', ''), ID_BYTES);
}
