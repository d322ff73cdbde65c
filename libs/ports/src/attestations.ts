/**
 * An anchor or witness of the policy that did not vouch when it was asked last, or a renewal of time-stamps that
 * failed.
 */
export type FailingVoucher = {
  readonly kind: 'anchor' | 'witness' | 'renewal';
  readonly name: string;
  /** Whether the policy is not kept without it: a required anchor, or a witness without which there is no quorum. */
  readonly isRequired: boolean;
  /** Since when it does not vouch (µs): the time of the first entry that it has not vouched for. */
  readonly since: number | undefined;
  /** Of a renewal: when the first certificate ends of what it covers (µs), after which it would come too late. */
  readonly until?: number | undefined;
  readonly attempts: number;
  readonly lastError: string | null;
};

/** How far a log is vouched for, as is stored: no signature is verified again. Sizes are numbers of entries. */
export type Attestations = {
  readonly publishedSize: number;
  readonly publishedAt: number | undefined;
  /** The largest tree with the quorum of witnesses; null where the policy asks for none. */
  readonly witnessedSize: number | null;
  /** The largest tree with the external anchors that are demanded; null where the policy has none. */
  readonly anchoredSize: number | null;
  readonly exposedEntries: number;
  /** The time of the oldest entry that nobody outside vouches for (µs); undefined when there is none. */
  readonly exposedSince: number | undefined;
  readonly failing: readonly FailingVoucher[];
};

/** Reads them; for people, so it costs some reads of the newest rows. */
export type ReadAttestations = (workspaceId: string) => Promise<Attestations>;
