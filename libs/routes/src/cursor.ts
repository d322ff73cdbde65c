import type { z } from 'zod';
import { type JsonObject, type JsonValue, ServiceError } from '@answer-evidence/contracts';
import { equalSecrets } from '@answer-evidence/digest';
import { canonicalize, concatBytes, formatBase64Url, parseBase64Url, parseJson, utf8 } from '@answer-evidence/encoding';
import type { WorkspaceVault } from '@answer-evidence/ports';

/** What a cursor needs of a workspace's vault. */
export type CursorVault = Pick<WorkspaceVault, 'mac'>;

const MAC_BYTES = 16;

/** An opaque cursor: where a list goes on. Valid for the same workspace, list name and filters (`list`) only. */
export function formatCursor(vault: CursorVault, list: JsonObject, at: JsonValue): string {
  const text = utf8(canonicalize(at));
  return formatBase64Url(concatBytes(macOf(vault, list, text), text));
}

/** Where a cursor of this very list leads, as given to `formatCursor`. Throws `cursor_not_valid` for others. */
export function parseCursor(vault: CursorVault, list: JsonObject, cursor: string): JsonValue {
  try {
    const bytes = parseBase64Url(cursor);
    const text = bytes.subarray(MAC_BYTES);
    if (equalSecrets(macOf(vault, list, text), bytes.subarray(0, MAC_BYTES))) return parseJson(text);
  } catch {
    // Whatever is wrong with it, it is not one of ours.
  }
  throw notValid();
}

/** The same, of this form: another release's cursor may have another, and is refused. */
export function parseCursorOf<At>(form: z.ZodType<At>, vault: CursorVault, list: JsonObject, cursor: string): At {
  const parsed = form.safeParse(parseCursor(vault, list, cursor));
  if (parsed.success) return parsed.data;
  throw notValid();
}

function notValid(): ServiceError {
  const detail = 'is not a cursor of this list; start again without a cursor';
  return new ServiceError('cursor_not_valid', detail, { errors: [{ pointer: '?cursor', detail }] });
}

/** Over the very bytes of the position, so that one position has one cursor. */
function macOf(vault: CursorVault, list: JsonObject, text: Uint8Array): Uint8Array {
  return vault.mac('cursor', [canonicalize(list), text]).subarray(0, MAC_BYTES);
}
