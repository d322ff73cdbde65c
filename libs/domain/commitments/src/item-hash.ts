import type { JsonValue } from '@answer-evidence/contracts';
import { sha256Hex } from '@answer-evidence/digest';
import { canonicalize, concatBytes, parseHex, utf8 } from '@answer-evidence/encoding';

const LABEL = utf8('answer-evidence/item/v1\n');
/** Room for the messages of most items, with the label in front; a longer one gets memory of its own. */
const ROOM = concatBytes(LABEL, new Uint8Array(2048));
/** The most that a UTF-16 code unit takes in UTF-8. */
const UTF8_BYTES_MAX = 3;
const encoder = new TextEncoder();
/** Size of an item's salt in bytes. */
export const ITEM_SALT_BYTES = 16;

/** `sha256:` of SHA-256("answer-evidence/item/v1\n" ‖ 16-byte salt ‖ JCS(item)); `salt` is hex. */
export function hashItem(salt: string, item: JsonValue): string {
  return hashItemText(parseHex(salt, ITEM_SALT_BYTES), canonicalize(item));
}

/** The same, from the salt's bytes and the item's JCS text. */
export function hashItemText(salt: Uint8Array, itemText: string): string {
  return `sha256:${sha256Hex(messageOf(salt, itemText))}`;
}

/** The bytes that are hashed; good until the next call. Throws `EncodingError` for half a surrogate pair. */
function messageOf(salt: Uint8Array, itemText: string): Uint8Array {
  const start = LABEL.length + salt.length;
  if (start + UTF8_BYTES_MAX * itemText.length > ROOM.length || !itemText.isWellFormed())
    return concatBytes(LABEL, salt, utf8(itemText));
  ROOM.set(salt, LABEL.length);
  return ROOM.subarray(0, start + encoder.encodeInto(itemText, ROOM.subarray(start)).written);
}
