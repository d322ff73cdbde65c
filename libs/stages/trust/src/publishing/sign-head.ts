import {
  type Cosignature,
  formatCosignatureLine,
  parseCosignature,
  parseVkey,
  signCheckpoint,
} from '@answer-evidence/note';
import type { CosignatureRow } from '@answer-evidence/contracts';
import type { Workspace } from '@answer-evidence/ports';

/** A tree of a log. */
export type TreeHead = { readonly size: number; readonly root: Uint8Array };

/** The checkpoint of a tree, signed by the keys of the log at that size. The same tree gives the same bytes whenever it is signed. */
export function signHead(workspace: Workspace, { size, root }: TreeHead): string {
  const { origin, vkey, vault } = workspace;
  return signCheckpoint({ origin, size, root }, vkey, (message) => vault.sign(message));
}

/** The same with the cosignatures that were collected for it, in their order. */
export function signCosignedHead(
  workspace: Workspace,
  head: TreeHead,
  cosignatures: readonly Pick<CosignatureRow, 'vkey' | 'signature'>[],
): string {
  return signHead(workspace, head) + cosignatures.map(formatLine).join('');
}

function formatLine({ vkey, signature }: Pick<CosignatureRow, 'vkey' | 'signature'>): string {
  const cosignature: Cosignature = parseCosignature(signature);
  return formatCosignatureLine(parseVkey(vkey), cosignature);
}
