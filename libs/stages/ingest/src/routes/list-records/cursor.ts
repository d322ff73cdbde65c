import { type JsonObject, ServiceError } from '@answer-evidence/contracts';
import { canonicalize, equalBytes, formatBase64Url, parseBase64Url, parseJson, utf8 } from '@answer-evidence/encoding';
import type { WorkspaceVault } from '@answer-evidence/ports';
import { z } from 'zod';

const MAC_BYTES = 16;
const position = z.strictObject({ leaf: z.int().nonnegative(), page: z.int().positive() });

/** Where a list goes on: below this leaf, as this page. */
export type Position = z.infer<typeof position>;

/** An opaque cursor; it is good for the same workspace, filters and application only. */
export function formatCursor(vault: WorkspaceVault, filters: JsonObject, at: Position): string {
  const text = canonicalize(at);
  const mac = vault.mac('cursor', [canonicalize(filters), text]).subarray(0, MAC_BYTES);
  const bytes = new Uint8Array(MAC_BYTES + text.length);
  bytes.set(mac);
  bytes.set(utf8(text), MAC_BYTES);
  return formatBase64Url(bytes);
}

/** The position of a cursor. Throws `cursor_not_valid` for anything but a cursor of this very list. */
export function parseCursor(vault: WorkspaceVault, filters: JsonObject, cursor: string): Position {
  try {
    const bytes = parseBase64Url(cursor);
    const at = position.parse(parseJson(bytes.subarray(MAC_BYTES)));
    const mac = vault.mac('cursor', [canonicalize(filters), canonicalize(at)]).subarray(0, MAC_BYTES);
    if (equalBytes(mac, bytes.subarray(0, MAC_BYTES))) return at;
  } catch {
    // Whatever is wrong with it, it is not one of ours.
  }
  const detail = 'is not a cursor of this list; start again without it';
  throw new ServiceError('cursor_not_valid', detail, { errors: [{ pointer: '?cursor', detail }] });
}
