import type { TrustPolicyValues } from '@answer-evidence/contracts';
import type {
  AnchorRow,
  AnchorSecretRow,
  AttemptRow,
  CosignatureRow,
  PublishedRow,
  TrustLookRow,
  WitnessStateRow,
} from '@answer-evidence/tables';

/** The trust policy of a workspace and which version of it this is; version 0 is the default, which nobody has set. */
export type VersionedTrustPolicy = {
  readonly version: number;
  readonly values: TrustPolicyValues;
  /** Microseconds; null for the default. */
  readonly updatedAt: number | null;
};

/** One anchor of a published checkpoint with its attempts, in their order. */
export type StoredAnchor = { readonly anchor: AnchorRow; readonly attempts: readonly AttemptRow[] };

/** A published tree with who vouches for it as far as is stored; none of it was verified again. */
export type AttestedTree = {
  readonly treeSize: number;
  /** Anchors that were confirmed over it. */
  readonly anchors: readonly { readonly id: string; readonly type: string }[];
  /** Public keys, in hex, that cosigned it. */
  readonly cosigners: readonly string[];
};

/** Which trees of a log: those above a size, smallest first, or those up to and with it, largest first. */
export type TreeRange = { readonly above: number } | { readonly upTo: number };

/** What one process at a time does for a log. */
export type TrustPart = 'publish' | 'witness' | 'anchor';

/** A row without the MAC that the store makes. */
type Unsigned<Row extends { readonly mac: Uint8Array }> = Omit<Row, 'mac'>;

/** An anchor to add; without `covered` and `kept` it is no renewal. */
type NewAnchor = Omit<Unsigned<AnchorRow>, 'covered' | 'kept'> & Partial<Pick<AnchorRow, 'covered' | 'kept'>>;

/** An attempt to add. */
type NewAttempt = Omit<Unsigned<AttemptRow>, 'ends_at'> & Partial<Pick<AttemptRow, 'ends_at'>>;

/** How long the tokens over some trees are good. */
export type TokenEnds = {
  /** How many tokens there are, and of how many nobody knows when their certificates end. */
  readonly tokens: number;
  readonly unknown: number;
  /** The first end of a certificate that has not ended yet. */
  readonly earliest: number | null;
};

/** A bounded piece of a list, newest first. */
type TrustPage<Item> = { readonly items: readonly Item[]; readonly total: number };

/** How long nobody looks at a log's witnesses and anchors at most, in microseconds, whatever is noted. */
export const LOOKS_MICROS_MAX = 600_000_000;

/**
 * What vouches for logs from outside. Rows are only ever added, each with a MAC, and are durable when a method returns.
 * Writing is for anyone who leads the workspace's log (`whileLeading`). Reads throw `StoredDamageError` for a row whose
 * MAC is wrong.
 */
export interface TrustStore {
  policy(workspaceId: string): Promise<VersionedTrustPolicy>;
  /** The policy of a version, as it stands in the log; undefined where there is none. */
  findPolicy(workspaceId: string, version: number): Promise<VersionedTrustPolicy | undefined>;
  anchorSecrets(workspaceId: string): Promise<readonly AnchorSecretRow[]>;

  newestPublished(workspaceId: string): Promise<PublishedRow | undefined>;
  findPublished(workspaceId: string, treeSize: number): Promise<PublishedRow | undefined>;
  /** The first that was published of all larger trees than this. */
  firstPublishedAbove(workspaceId: string, treeSize: number): Promise<PublishedRow | undefined>;
  listPublished(
    workspaceId: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<TrustPage<PublishedRow>>;
  /** Publishes a larger tree than any before. False when one of this size or a larger one is published already. */
  publish(workspaceId: string, row: Unsigned<PublishedRow>): Promise<boolean>;

  /** The cosignatures of a published checkpoint, oldest first. */
  cosignatures(workspaceId: string, treeSize: number): Promise<readonly CosignatureRow[]>;
  /** Adds a cosignature; the first one of a key over a checkpoint stands. */
  addCosignature(workspaceId: string, row: Unsigned<CosignatureRow>): Promise<void>;
  witnessStates(workspaceId: string): Promise<readonly WitnessStateRow[]>;
  putWitnessState(workspaceId: string, row: WitnessStateRow): Promise<void>;
  /** Notes until when a log need not be looked at, for as long as its newest published tree and policy are these. */
  noteLook(workspaceId: string, row: TrustLookRow): Promise<void>;

  /** The anchors of the largest tree that has any, or none. */
  newestAnchors(workspaceId: string): Promise<readonly StoredAnchor[]>;
  anchorsOf(workspaceId: string, treeSize: number): Promise<readonly StoredAnchor[]>;
  listAnchors(
    workspaceId: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<TrustPage<StoredAnchor>>;
  /** Adds the anchors that a published checkpoint is to have; one that it has already stands. */
  addAnchors(workspaceId: string, rows: readonly NewAnchor[]): Promise<void>;
  addAttempt(workspaceId: string, row: NewAttempt): Promise<void>;
  /** The renewals, oldest first. No other method but `listAnchors` returns them. */
  renewals(workspaceId: string): Promise<readonly StoredAnchor[]>;
  /** The anchors of tokens over the smallest trees of at least a size that have any, of so many trees. */
  tokenAnchors(workspaceId: string, from: number, trees: number): Promise<readonly StoredAnchor[]>;
  /** When tokens over trees above a size end, as far as they have not ended at a time (µs). */
  tokenEnds(workspaceId: string, above: number, nowMicros: number): Promise<TokenEnds>;
  /** The trees in the range of which any anchor is confirmed, published under the log's present name. */
  confirmedTrees(workspaceId: string, range: TreeRange, limit: number): Promise<readonly AttestedTree[]>;
  /** The trees up to and with a size that anybody cosigned, largest first, published under the log's present name. */
  cosignedTrees(
    workspaceId: string,
    upTo: number,
    limit: number,
  ): Promise<readonly Pick<AttestedTree, 'treeSize' | 'cosigners'>[]>;

  /** Runs the action unless another process leads this part of the log; returns whether it ran. */
  whileLeading(workspaceId: string, part: TrustPart, action: () => Promise<void>): Promise<boolean>;
}
