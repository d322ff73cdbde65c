import { sha256 } from '@answer-evidence/digest';
import {
  asObject,
  concatBytes,
  equalBytes,
  formatHex,
  type JsonObject,
  type JsonValue,
  parseBase64,
  parseJsonText,
  readDateTime,
  readOr,
  utf8,
} from '@answer-evidence/encoding';
import { ED25519 } from '@answer-evidence/note';
import { createLogKey, type RekorLog } from './log-key.ts';
import { RekorError } from './rekor-error.ts';

/** What stands before the 32 bytes of an Ed25519 key in DER (RFC 8410). */
const ED25519_SPKI = '302a300506032b6570032100';
const KEY_BYTES = 32;
/** A log of Rekor v2 has the name of its host. */
const BASE_URL = /^https?:\/\/([A-Za-z0-9.-]{1,253})(?::[0-9]{1,5})?(?:\/[!-~]*)?$/;

/**
 * The logs of Rekor v2 in a `trusted_root.json` of Sigstore: those of its `tlogs` with an Ed25519 key whose id is that
 * of C2SP signed-note, untruncated. Logs of Rekor v1, and everything else in it, are passed over. Throws `RekorError`.
 */
export function parseTrustedRoot(text: string): readonly RekorLog[] {
  const { tlogs } = asObject(parse(text));
  if (!Array.isArray(tlogs)) throw new RekorError('the trusted root has no tlogs');
  return tlogs.flatMap((tlog: JsonValue) => readLog(asObject(tlog)) ?? []);
}

function readLog({ baseUrl, publicKey, logId }: JsonObject): RekorLog | undefined {
  const { keyDetails, rawBytes, validFor } = asObject(publicKey);
  if (keyDetails !== 'PKIX_ED25519' || typeof baseUrl !== 'string') return undefined;
  const name = BASE_URL.exec(baseUrl)?.[1];
  const spki = readBytes(rawBytes);
  const id = readBytes(asObject(logId)['keyId']);
  if (name === undefined || spki === undefined || id === undefined) return undefined;
  const key = spki.slice(-KEY_BYTES);
  if (formatHex(spki) !== ED25519_SPKI + formatHex(key)) return undefined;
  const named = concatBytes(utf8(`${name}\n`), Uint8Array.of(ED25519), key);
  if (!equalBytes(sha256(named), id)) return undefined;
  return { vkey: createLogKey(name, key), url: baseUrl, retiredAt: readTime(asObject(validFor)['end']) };
}

function readTime(value: JsonValue | undefined): number | null {
  const read = typeof value === 'string' ? readDateTime(value) : undefined;
  return read !== undefined && 'micros' in read ? read.micros : null;
}

function readBytes(value: JsonValue | undefined): Uint8Array | undefined {
  return typeof value === 'string' ? readOr(() => parseBase64(value), undefined) : undefined;
}

function parse(text: string): JsonValue {
  const value = readOr(() => parseJsonText(text), undefined);
  if (value === undefined) throw new RekorError('the trusted root is not JSON');
  return value;
}
