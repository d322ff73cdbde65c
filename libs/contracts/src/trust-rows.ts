import type { AnchorType } from './trust.ts';

/** What is stored of who vouches for a log, row by row, as in `log-rows.ts`. */

/** One published checkpoint. Its note is signed anew each time it is shown, to the same bytes. Insert-only. */
export type PublishedRow = {
  readonly tree_size: number;
  readonly root: Uint8Array;
  readonly policy_version: number;
  readonly published_at: number;
  readonly mac: Uint8Array;
};

/** One witness's cosignature of a published checkpoint. Insert-only. */
export type CosignatureRow = {
  readonly tree_size: number;
  /** Ed25519, 32 bytes: witnesses are told apart by it, whatever they are called. */
  readonly public_key: Uint8Array;
  readonly vkey: string;
  /** 8 bytes of time, 64 of signature. */
  readonly signature: Uint8Array;
  readonly received_at: number;
  readonly mac: Uint8Array;
};

/** One anchor that a published checkpoint is to have. Insert-only. */
export type AnchorRow = {
  readonly id: string;
  readonly tree_size: number;
  readonly anchor_id: string;
  readonly type: AnchorType;
  readonly policy_version: number;
  readonly created_at: number;
  readonly mac: Uint8Array;
};

/** One attempt at an anchor. Insert-only. */
export type AttemptRow = {
  readonly anchor: string;
  readonly attempt: number;
  readonly at: number;
  readonly outcome: 'confirmed' | 'failed';
  readonly detail: string;
  readonly anchored_at: number | null;
  readonly artefact: Uint8Array | null;
  readonly mac: Uint8Array;
};

/** How many rows of each kind vouch for a workspace's log. */
export type TallyRow = {
  readonly checkpoints: number;
  readonly cosignatures: number;
  readonly anchors: number;
  readonly attempts: number;
  readonly mac: Uint8Array;
};

/** How a witness does. */
export type WitnessStateRow = {
  readonly public_key: Uint8Array;
  /** The largest tree that it has cosigned. */
  readonly tree_size: number | null;
  readonly failures: number;
  readonly last_error: string | null;
  readonly next_attempt_at: number;
};

/** The secret of one anchor of the policy, sealed under a key of its own. */
export type AnchorSecretRow = {
  readonly anchor_id: string;
  /** What the key was made for: the entry of the change that brought the secret. */
  readonly object_id: string;
  readonly wrapped_key: Uint8Array;
  readonly secret: Uint8Array;
};
