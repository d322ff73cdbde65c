import type { Voucher } from '@answer-evidence/contracts';
import type { Checkpoint } from '@answer-evidence/note';

/** Somebody outside who attested a tree, when, and whether they are the quorum of witnesses. */
export type Attestation = { readonly micros: number; readonly by: readonly Voucher[]; readonly isQuorum: boolean };
/** A tree that a file shows, which the pinned keys of its size signed, and who of the trust file attested it. */
export type GivenTree = Pick<Checkpoint, 'origin' | 'size' | 'root'> & { readonly attested: readonly Attestation[] };
/** Two leaves that signed trees show and that cannot both be in one log in their places. */
export type LeafConflict = { readonly leaves: readonly [number, number]; readonly detail: string };

/** All files that were given together, read once: the trees that they show, and the leaves in these. */
export type GivenTrees = {
  treesOf(origin: string): Promise<readonly GivenTree[]>;
  conflictsOf(origin: string): Promise<readonly LeafConflict[]>;
};
