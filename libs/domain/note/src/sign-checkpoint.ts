import type { Checkpoint } from './checkpoint.ts';
import { signTree } from './sign-tree.ts';

/** A checkpoint signed by one key of the log; see `signTree`. */
export function signCheckpoint(checkpoint: Checkpoint, vkey: string, sign: (message: string) => Uint8Array): string {
  return signTree(checkpoint, [{ vkey, sign }]);
}
