import { ServiceError, uuid } from '@answer-evidence/contracts';
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
const position = z.strictObject({ at: z.int().nonnegative(), id: uuid, page: z.int().positive() });

/** Where the list goes on: after this trace, as this page. */
export type Position = z.infer<typeof position>;

/** An opaque cursor; it is good for this list of the same workspace only. */
export function formatCursor(vault: WorkspaceVault, at: Position): string {
  const text = utf8(canonicalize(at));
  return formatBase64Url(concatBytes(macOf(vault, text), text));
}

/** The position of a cursor. Throws `cursor_not_valid` for anything but a cursor of this very list. */
export function parseCursor(vault: WorkspaceVault, cursor: string): Position {
  try {
    const bytes = parseBase64Url(cursor);
    const text = bytes.subarray(MAC_BYTES);
    if (equalBytes(macOf(vault, text), bytes.subarray(0, MAC_BYTES))) return position.parse(parseJson(text));
  } catch {
    // Whatever is wrong with it, it is not one of ours.
  }
  const detail = 'is not a cursor of this list; start again without it';
  throw new ServiceError('cursor_not_valid', detail, { errors: [{ pointer: '?cursor', detail }] });
}

function macOf(vault: WorkspaceVault, text: Uint8Array): Uint8Array {
  return vault.mac('cursor', ['unattached', text]).subarray(0, MAC_BYTES);
}
