import type { AnchorConfig } from '@answer-evidence/contracts';

/** An anchor of a policy with the secret that its type needs. */
export type AnchorTarget = AnchorConfig & { readonly secret_access_key?: string };

/** What is to be anchored, and where. */
export type AnchorRequest = {
  readonly config: AnchorTarget;
  /** The signed note of the checkpoint. */
  readonly note: string;
  /** SHA-256 of the note's exact text, through its last newline, without signatures: the same for every type. */
  readonly digest: Uint8Array;
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
      /** When the first certificate that the artefact stands on ends, in microseconds; left out without any. */
      readonly endsAt?: number;
      readonly detail: string;
    }
  | { readonly kind: 'failed'; readonly detail: string };

/** Which log's checkpoints are looked for, and where. */
export type AnchorQuery = Pick<AnchorRequest, 'config' | 'signal'> & { readonly origin: string };

/** What lies in an anchor's place as a note. Nothing of it is verified: anyone who can write there may have put it. */
export type PublishedNote = {
  /** Empty where it cannot be read. */
  readonly note: string;
  /** Where it lies, as a person finds it. */
  readonly place: string;
};

/** What is published of a log, the largest tree or the newest line first. `detail` is as that of an outcome. */
export type AnchorReading =
  | { readonly kind: 'read'; readonly notes: readonly PublishedNote[] }
  | { readonly kind: 'failed'; readonly detail: string };

/** What somebody has to change before anything can be anchored in a place, by the word of its store. */
export type AnchorFault = 'no-object-lock' | 'no-such-bucket' | 'another-region' | 'unknown-key' | 'wrong-secret';

/** What asking a place came to. `detail` is as that of an outcome. */
export type AnchorProbe = { readonly kind: 'works' | 'failed'; readonly detail: string };

/** How many of the newest notes are read: the newest alone would let a single stray file hide it. */
export const PUBLISHED_NOTES_MAX = 8;

/** Largest artefact that an anchor hands over. */
export const ANCHOR_ARTEFACT_MAX_BYTES = 64 * 1024;

/**
 * One type of anchor. Never throws for what a peer does or does not do; bounded in time and in memory. When it answers
 * `confirmed`, the anchor was checked as far as this type can be, and what this machine keeps of it is durable.
 * Anchoring the same digest again is harmless; attempts may run at once.
 */
export interface Anchor {
  submit(request: AnchorRequest): Promise<AnchorOutcome>;
  /**
   * The newest notes of a log that are kept where no restore of the database reaches, at most `PUBLISHED_NOTES_MAX`.
   * None for a type whose artefacts only the database has.
   */
  readNewest(query: AnchorQuery): Promise<AnchorReading>;
  /**
   * Whether the place works, without leaving anything there. Left out by a type that is tried by what it does, or by
   * reading it.
   */
  probe?(query: Pick<AnchorQuery, 'config' | 'signal'>): Promise<AnchorProbe>;
  /**
   * What is wrong with the place by its own word, before anything is written there; undefined where nothing is known,
   * as while it does not respond. Left out by a type that has no place.
   */
  examine?(query: Pick<AnchorQuery, 'config' | 'signal'>): Promise<AnchorFault | undefined>;
}
