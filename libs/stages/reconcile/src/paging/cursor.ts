import { type JsonObject, ServiceError } from '@answer-evidence/contracts';
import {
  canonicalize,
  concatBytes,
  equalBytes,
  formatBase64Url,
  parseBase64Url,
  parseJson,
  utf8,
} from '@answer-evidence/encoding';
import type { WorkspaceVault } from '@answer-evidence/ports';
import { z } from 'zod';

const MAC_BYTES = 16;
const position = z.strictObject({ after: z.string(), page: z.int().positive() });

/** Where a list goes on: after this item, as this page. */
export type Position = z.infer<typeof position>;

/** An opaque cursor; it is good for the same list of the same workspace only. */
export function formatCursor(vault: WorkspaceVault, list: JsonObject, at: Position): string {
  const text = utf8(canonicalize(at));
  return formatBase64Url(concatBytes(macOf(vault, list, text), text));
}

/** The position of a cursor. Throws `cursor_not_valid` for anything but a cursor of this very list. */
export function parseCursor(vault: WorkspaceVault, list: JsonObject, cursor: string): Position {
  try {
    const bytes = parseBase64Url(cursor);
    const text = bytes.subarray(MAC_BYTES);
    if (equalBytes(macOf(vault, list, text), bytes.subarray(0, MAC_BYTES))) return position.parse(parseJson(text));
  } catch {
    // Whatever is wrong with it, it is not one of ours.
  }
  const detail = 'is not a cursor of this list; start again without it';
  throw new ServiceError('cursor_not_valid', detail, { errors: [{ pointer: '?cursor', detail }] });
}

function macOf(vault: WorkspaceVault, list: JsonObject, text: Uint8Array): Uint8Array {
  return vault.mac('cursor', ['reconciliations', canonicalize(list), text]).subarray(0, MAC_BYTES);
}
