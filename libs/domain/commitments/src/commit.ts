import { hmacSha256, sha256Hex } from '@answer-evidence/digest';
import { concatBytes, formatHex, utf8 } from '@answer-evidence/encoding';

/** Which text of an object a keyed commitment is about; the label keeps a question from standing in for an answer. */
export type CommittedField = 'question' | 'answer';

/** Size in bytes of a tenant's hash key, of a record's salt and of a record's key. */
export const COMMITMENT_KEY_BYTES = 32;

const RECORD_KEY_LABEL = utf8('answer-evidence/record-key/v1\n');

/** Plain commitment: `sha256:` of the text's UTF-8 bytes, never normalised. */
export function commitPlain(text: string): string {
  return `sha256:${sha256Hex(text)}`;
}

/**
 * The key that opens one record's commitments and no other: HMAC-SHA256(tenant key, label ‖ 32 random bytes of the
 * record). When the random bytes are gone, not even the holder of the tenant key can test a guess.
 */
export function deriveRecordKey(tenantKey: Uint8Array, salt: Uint8Array): Uint8Array {
  return hmacSha256(tenantKey, concatBytes(RECORD_KEY_LABEL, salt));
}

/** Keyed commitment: `hmac-sha256:` of HMAC-SHA256(record key, "question\n" or "answer\n" ‖ text). */
export function commitKeyed(recordKey: Uint8Array, field: CommittedField, text: string): string {
  return `hmac-sha256:${formatHex(hmacSha256(recordKey, `${field}\n${text}`))}`;
}
