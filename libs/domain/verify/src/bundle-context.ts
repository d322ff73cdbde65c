import { parseEntry } from '@answer-evidence/commitments';
import {
  type AnyBundle,
  ATTACHMENT_TYPES,
  type BundleEvidence,
  type EntryType,
  type JsonValue,
  type LedgerEntry,
  type Outcome,
  type ProofBundle,
  type ReconciliationFinding,
  type TrustFile,
} from '@answer-evidence/contracts';
import {
  type Checkpoint,
  parseCheckpoint,
  parseNote,
  type SignedNote,
  type VerifyEd25519,
} from '@answer-evidence/note';
import { CheckFailure } from './verdict.ts';

/** Leaves from `from` on, below `to`, whose entries a copy of a log lacks; `path` is the tile that is missing. */
export type LogGap = { readonly from: number; readonly to: number; readonly path: string };

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
) => Promise<{
  readonly genTimeMicros: number;
  /** Who signed, for people to read. */
  readonly authority: string;
  /** SHA-256 of the pinned certificate that trust began with, hex. */
  readonly pinSha256: string;
}>;

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
  readonly verifyEd25519: VerifyEd25519;
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
  /** When the last anchored checkpoint without the record was published. */
  readonly anchoredBefore?: string;
  readonly published?: readonly PublishedHead[];
  /** What reconciliation found about the record; null when no run covers it. Left out where none can be known of. */
  readonly reconciliation?: RunAboutRecord | DamagedRun | null;
  /** `at` of the last leaf of the bundle's checkpoint; without it the last leaf shown tells the time of the status. */
  readonly checkpointAt?: string;
};

/** A leaf that the bundle shows, whatever it is about. */
export type ShownLeaf = {
  /** How details name it, such as `event 2`. */
  readonly name: string;
  /** The type that its place in the bundle asks for; an attachment's type is what its entry says. */
  readonly types: readonly EntryType[];
  readonly id: JsonValue | undefined;
  /** What the entry is to be about. */
  readonly subject: JsonValue | undefined;
  readonly seq: number;
  readonly core: JsonValue;
  readonly leaf_index: number;
  readonly entry: string;
  readonly leaf_hash: string;
  readonly proof: string;
};

/** What a file has of the checkpoint that all of its proofs lead to, and of who vouches for it. */
export type ShownCheckpoint = Pick<ProofBundle, 'origin' | 'checkpoint' | 'anchors' | 'log_keys' | 'policy'>;

/** What the checks of a checkpoint are made of, whichever file shows it. */
export type CheckpointContext = {
  readonly bundle: ShownCheckpoint;
  readonly trust: TrustFile;
  readonly options: VerifyOptions;
  /** Keys of the trust file whose signatures were found good, filled by the checks. */
  readonly pins: Set<string>;
  /** The outcomes of the checks made so far, by name; `anchored` stands on those before it. */
  readonly outcomes: Map<string, Outcome>;
};

/** What every check of a bundle is made of. */
export type BundleContext = CheckpointContext & {
  readonly bundle: AnyBundle;
  /** The record, its events and its attachments, in this order. */
  readonly leaves: readonly ShownLeaf[];
  /** Accesses, and what became of the assets accessed. They are about assets. */
  readonly evidenceLeaves: readonly ShownLeaf[];
};

const ERASURE_TYPES: readonly EntryType[] = ['evidence_redacted', 'evidence_expired'];

/** The context of a bundle that is of the format. */
export function createContext(bundle: AnyBundle, trust: TrustFile, options: VerifyOptions): BundleContext {
  const { record, events, attachments, evidence } = bundle;
  const subject = record.core.id;
  const leaves: ShownLeaf[] = [
    { ...record, name: 'the record', types: ['answer_recorded'], id: record.core.id, subject, seq: 0 },
    ...events.map((event, i): ShownLeaf => {
      const { id, sequence } = event.core;
      return { ...event, name: `event ${i + 1}`, types: ['lifecycle_event'], id, subject, seq: sequence };
    }),
    ...attachments.map((attachment, i): ShownLeaf => {
      const name = `attachment ${i + 1}`;
      return { ...attachment, name, types: ATTACHMENT_TYPES, id: attachment.core['id'], subject, seq: 0 };
    }),
  ];
  const evidenceLeaves = evidence ? listEvidence(evidence) : [];
  return { bundle, trust, options, leaves, evidenceLeaves, pins: new Set(), outcomes: new Map() };
}

function listEvidence({ accesses, assets }: BundleEvidence): readonly ShownLeaf[] {
  const about = (leaf: BundleEvidence['accesses'][number], name: string, types: readonly EntryType[]): ShownLeaf => {
    return { ...leaf, name, types, id: leaf.core['id'], subject: leaf.core['asset_id'], seq: 0 };
  };
  return [
    ...accesses.map((access, i) => about(access, `access ${i + 1}`, ['evidence_accessed'])),
    ...assets.flatMap(({ registered, erasures }, i) => [
      about(registered, `asset ${i + 1}`, ['evidence_registered']),
      ...erasures.map((erasure, n) => about(erasure, `erasure ${n + 1} of asset ${i + 1}`, ERASURE_TYPES)),
    ]),
  ];
}

/** The entry of a leaf. Throws `CheckFailure` unless it is the canonical text of one. */
export function readEntry(leaf: { readonly name: string; readonly entry: string }): LedgerEntry {
  try {
    return parseEntry(leaf.entry);
  } catch {
    throw new CheckFailure(`the entry of ${leaf.name} is not the canonical text of a version 1 entry`);
  }
}

/** The entry of a leaf, or undefined when it is not one. */
export function findEntry(leaf: { readonly name: string; readonly entry: string }): LedgerEntry | undefined {
  try {
    return readEntry(leaf);
  } catch {
    return undefined;
  }
}

/** The bundle's checkpoint. Throws when it is not one, or that of another log than the bundle names. */
export function readCheckpoint(bundle: Pick<ShownCheckpoint, 'origin' | 'checkpoint'>): {
  note: SignedNote;
  checkpoint: Checkpoint;
} {
  const note = parseNote(bundle.checkpoint);
  const checkpoint = parseCheckpoint(note.text);
  if (checkpoint.origin !== bundle.origin) {
    throw new CheckFailure('the checkpoint and the bundle are from different logs', {
      expected: bundle.origin,
      actual: checkpoint.origin,
    });
  }
  return { note, checkpoint };
}
