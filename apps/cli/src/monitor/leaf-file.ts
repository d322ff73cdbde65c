import { sha256Hex } from '@answer-evidence/digest';
import { LEAF_ROW_BYTES, type LeafMemory } from '@answer-evidence/monitor';
import type { Io } from '../io.ts';
import { ofFile } from '../system-error.ts';

/** The places of the leaves of one log, in a file beside the state. The lock of the state is that of the file too. */
export function openLeafFile(
  { files, paths }: Pick<Io, 'files' | 'paths'>,
  statePath: string,
  source: string,
): LeafMemory {
  const path = paths.join(`${statePath}.leaves`, sha256Hex(source).slice(0, 16));
  return {
    has: async (leaves) => ((await ofFile(path, files.size(path))) ?? 0) >= leaves * LEAF_ROW_BYTES,
    read: () => files.readPieces(path),
    write: (from, rows) => ofFile(path, files.writeFrom(path, from * LEAF_ROW_BYTES, rows)),
  };
}
