import type { ReconciliationFinding, Voucher } from '@answer-evidence/contracts';
import type { VerifySignature } from '@answer-evidence/note';
import type { GivenTrees } from './given-tree.ts';
import type { YoungestLeaf } from './stated-times.ts';

/** Leaves from `from` on, below `to`, whose entries a copy of a log lacks; `path` is the tile that is missing. */
export type LogGap = { readonly from: number; readonly to: number; readonly path: string };

/** What was read of a log to see whether its leaves are in their places. `fault`: a sentence, undefined for none. */
export type OrderReport = { readonly read: string; readonly disorder: string | undefined };

/** A leaf that evidence shows, and whose proof leads to the root of its checkpoint. */
export type ProvenLeaf = { readonly name: string; readonly leaf_index: number; readonly entry: string };

/** All leaves of a log, as far as somebody holds them. */
export type LogView = {
  /** Every leaf below `treeSize` whose entry has this subject, in the order of the log. */
  entriesNaming(
    subject: string,
    treeSize: number,
  ): Promise<readonly { readonly leaf_index: number; readonly entry: string }[]>;
  /**
   * Root of the first `treeSize` leaves, re-computed from all of them; undefined where the copy lacks hashes for that.
   * Left out where only a database was asked.
   */
  rootAt?(treeSize: number): Promise<Uint8Array | undefined>;
  /**
   * The entries of the first `treeSize` leaves, in the order of the log; undefined for those in a gap. Left out where
   * only a database was asked.
   */
  entriesBelow?(treeSize: number): Promise<readonly (string | undefined)[]>;
  /**
   * Whether the first `treeSize` leaves are in their places. `shown` are the leaves that the evidence has: they stand
   * for those that a copy lacks.
   */
  orderBelow?(treeSize: number, shown: readonly ProvenLeaf[]): Promise<OrderReport>;
  /** The youngest of the first `treeSize` leaves, as far as they were read. Left out where not all of them are. */
  youngestBelow?(treeSize: number): Promise<YoungestLeaf | undefined>;
  /** What the copy lacks of the first `treeSize` leaves, in ascending order; left out where nothing can be missing. */
  gapsBelow?(treeSize: number): Promise<readonly LogGap[]>;
  /** `tiles`: the leaves were hashed up to the checkpoint's root. `database`: the service's database says so. */
  readonly verified: 'database' | 'tiles';
};

/** A tree that others were shown, with the consistency proof between it and the bundle's checkpoint, smaller first. */
export type PublishedHead = { readonly size: number; readonly root: Uint8Array; readonly proof: readonly Uint8Array[] };

/** The tree in which the record's receipt was given, with the consistency proof from it to the bundle's checkpoint. */
export type CreationCommit = {
  readonly treeSize: number;
  readonly root: Uint8Array;
  readonly consistency: readonly Uint8Array[];
};

/**
 * Verifies a TimeStampResp (RFC 3161, DER) over a SHA-256 digest, with trust beginning at the certificates of the PEM
 * texts only. Rejects with an error named `TimestampError`, whose message says what is wrong and quotes nothing of the
 * response.
 */
export type VerifyTimestamp = (
  responseDer: Uint8Array,
  digest: Uint8Array,
  rootsPem: readonly string[],
) => Promise<VerifiedToken>;

/** What a token that is believed states, and what it stands on. */
export type VerifiedToken = {
  readonly genTimeMicros: number;
  /** Who signed, for people to read. */
  readonly authority: string;
  /** SHA-256 of the pinned certificate that trust began with, hex. */
  readonly pinSha256: string;
  /** The second in which the first certificate of its chain ends, which is still within the validity. */
  readonly endsAtMicros: number;
  /** The token without the response around it, a ContentInfo (DER): what later time-stamps cover. */
  readonly token: Uint8Array;
  /** What revocation lists that an issuer of the chain signed say of its certificates; others say nothing. */
  readonly readRevocations: (lists: readonly Uint8Array[]) => Promise<
    readonly {
      readonly issuedAtMicros: number;
      /** Harmless is a reason that says that the key is not in other hands. */
      readonly revoked: readonly { readonly atMicros: number; readonly isHarmless: boolean }[];
    }[]
  >;
};

/** What the newest completed run of reconciliation that covers a record found about it. */
export type RunAboutRecord = {
  readonly runId: string;
  /** Size of the tree that the run speaks of. */
  readonly treeSize: number;
  readonly findings: readonly ReconciliationFinding[];
};

/** Rows of the newest run that covers a record, or of what it found, that are not what was written. */
export type DamagedRun = { readonly damage: string };

/** What a verifier may have besides the bundle and its pins. The service has more of it than an auditor. */
export type VerifyOptions = {
  readonly verifySignature: VerifySignature;
  /** Left out where nobody can read time-stamps; anchors of that type are then not decided. */
  readonly verifyTimestamp?: VerifyTimestamp;
  /** The caller's own tlog-proof from the record's creation. */
  readonly receipt?: string;
  /** Consistency proof between the receipt's checkpoint and the bundle's, smaller size first. */
  readonly consistency?: readonly Uint8Array[];
  readonly log?: LogView;
  /** The commit that recorded the answer, from the database; stands in for a receipt. */
  readonly creation?: CreationCommit;
  /** Anchors that the verifier itself confirmed earlier and that their artefact alone does not show. */
  readonly confirmedAnchors?: ReadonlySet<string>;
  /** When outside parties attested the last tree without the record that they did, and who they are. */
  readonly attestedBefore?: { readonly at: string; readonly by: readonly Voucher[] };
  /** The trees of other files that the verifier has. */
  readonly given?: GivenTrees;
  readonly published?: readonly PublishedHead[];
  /** What reconciliation found about the record; null when no run covers it. Left out where none can be known of. */
  readonly reconciliation?: RunAboutRecord | DamagedRun | null;
  /** `at` of the last leaf of the bundle's checkpoint; without it the last leaf shown tells the time of the status. */
  readonly checkpointAt?: string;
};
