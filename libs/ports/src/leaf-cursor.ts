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
import type { WorkspaceVault } from './vault.ts';
import { z } from 'zod';

const MAC_BYTES = 16;
const position = z.strictObject({ leaf: z.int().nonnegative(), page: z.int().positive() });

/** Where a list goes on: below this leaf, as this page. */
export type Position = z.infer<typeof position>;

/** An opaque cursor; it is good for the same workspace, filters and application only. */
export function formatCursor(vault: WorkspaceVault, filters: JsonObject, at: Position): string {
  const text = utf8(canonicalize(at));
  return formatBase64Url(concatBytes(macOf(vault, filters, text), text));
}

/** The position of a cursor. Throws `cursor_not_valid` for anything but a cursor of this very list. */
export function parseCursor(vault: WorkspaceVault, filters: JsonObject, cursor: string): Position {
  try {
    const bytes = parseBase64Url(cursor);
    const text = bytes.subarray(MAC_BYTES);
    if (equalBytes(macOf(vault, filters, text), bytes.subarray(0, MAC_BYTES))) return position.parse(parseJson(text));
  } catch {
    // Whatever is wrong with it, it is not one of ours.
  }
  const detail = 'is not a cursor of this list; start again without it';
  throw new ServiceError('cursor_not_valid', detail, { errors: [{ pointer: '?cursor', detail }] });
}

/** Over the very bytes of the position, so that one position has one cursor. */
function macOf(vault: WorkspaceVault, filters: JsonObject, text: Uint8Array): Uint8Array {
  return vault.mac('cursor', [canonicalize(filters), text]).subarray(0, MAC_BYTES);
}
