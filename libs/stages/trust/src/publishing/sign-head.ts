import { type Cosignature, formatCosignatureLine, parseCosignature, parseVkey } from '@answer-evidence/note';
import type { CosignatureRow } from '@answer-evidence/contracts';
import type { TreeSigner } from '@answer-evidence/ports';

/** A tree of a log. */
export type TreeHead = { readonly size: number; readonly root: Uint8Array };

/** The checkpoint of a tree with the cosignatures that were collected for it, in their order. */
export function signCosignedHead(
  signer: TreeSigner,
  head: TreeHead,
  cosignatures: readonly Pick<CosignatureRow, 'vkey' | 'signature'>[],
): string {
  return signer.sign(head) + cosignatures.map(formatLine).join('');
}

function formatLine({ vkey, signature }: Pick<CosignatureRow, 'vkey' | 'signature'>): string {
  const cosignature: Cosignature = parseCosignature(signature);
  return formatCosignatureLine(parseVkey(vkey), cosignature);
}
