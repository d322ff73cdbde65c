import {
  type Cosignature,
  formatCosignatureLine,
  NOTE_SIGNATURES_MAX,
  parseCosignature,
  parseNote,
  parseVkey,
} from '@answer-evidence/note';
import type { TreeSigner } from '@answer-evidence/ports';
import type { CosignatureRow } from '@answer-evidence/tables';

/** A tree of a log. */
export type TreeHead = { readonly size: number; readonly root: Uint8Array };

/** A tree's checkpoint with its cosignatures in order; the last ones when a note lacks room for all. */
export async function signCosignedHead(
  signer: TreeSigner,
  head: TreeHead,
  cosignatures: readonly Pick<CosignatureRow, 'vkey' | 'signature'>[],
): Promise<string> {
  const note = await signer.sign(head);
  const room = NOTE_SIGNATURES_MAX - parseNote(note).signatures.length;
  return note + cosignatures.slice(-room).map(formatLine).join('');
}

function formatLine({ vkey, signature }: Pick<CosignatureRow, 'vkey' | 'signature'>): string {
  const cosignature: Cosignature = parseCosignature(signature);
  return formatCosignatureLine(parseVkey(vkey), cosignature);
}
