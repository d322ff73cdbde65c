import type { JsonValue } from '@answer-evidence/contracts';
import { sha256Hex } from '@answer-evidence/digest';
import { canonicalize, concatBytes, parseHex, utf8 } from '@answer-evidence/encoding';

const LABEL = utf8('answer-evidence/item/v1\n');
/** Size of an item's salt in bytes. */
export const ITEM_SALT_BYTES = 16;

/** `sha256:` of SHA-256("answer-evidence/item/v1\n" ‖ 16-byte salt ‖ JCS(item)); `salt` is hex. */
export function hashItem(salt: string, item: JsonValue): string {
  return hashItemText(parseHex(salt, ITEM_SALT_BYTES), canonicalize(item));
}

/** The same, from the salt's bytes and the item's JCS text. */
export function hashItemText(salt: Uint8Array, itemText: string): string {
  return `sha256:${sha256Hex(concatBytes(LABEL, salt, utf8(itemText)))}`;
}
