import type { AnchorConfig } from '@answer-evidence/contracts';

/** An anchor of a policy with the secret that its type needs. */
export type AnchorTarget = AnchorConfig & { readonly secret_access_key?: string };

/** What is to be anchored, and where. */
export type AnchorRequest = {
  readonly config: AnchorTarget;
  /** SHA-256 of the exact text of the checkpoint, 32 bytes: the same for every type of anchor. */
  readonly digest: Uint8Array;
  /** The text of the checkpoint's note, through its last newline, without signatures. */
  readonly checkpointText: string;
  /** Gives the attempt up. What was begun outside may still come to be. */
  readonly signal: AbortSignal;
};

/** What came of it. `detail` holds no secret and nothing that a peer has said. */
export type AnchorOutcome =
  | {
      readonly kind: 'confirmed';
      /** What proves it, as it goes into bundles: a DER TimeStampResp, or JSON; at most `ANCHOR_ARTEFACT_MAX_BYTES`. */
      readonly artefact: Uint8Array;
      /** The time that the anchor states, in microseconds, where it states one. */
      readonly at: number | null;
      readonly detail: string;
    }
  | { readonly kind: 'failed'; readonly detail: string };

/** Largest artefact that an anchor hands over. */
export const ANCHOR_ARTEFACT_MAX_BYTES = 64 * 1024;

/**
 * One type of anchor. Never throws for what a peer does or does not do; bounded in time and in memory. When it answers
 * `confirmed`, the anchor was checked as far as this type can be, and what this machine keeps of it is durable.
 * Anchoring the same digest again is harmless; attempts may run at once.
 */
export interface Anchor {
  submit(request: AnchorRequest): Promise<AnchorOutcome>;
}
