import { parseEntry } from '@answer-evidence/commitments';
import {
  type AnyBundle,
  ATTACHMENT_TYPES,
  type BundleEvidence,
  type BundleHolds,
  type EntryType,
  type JsonValue,
  type LedgerEntry,
  type TrustFile,
} from '@answer-evidence/contracts';
import { type CheckpointContext, createCheckpointContext } from './checkpoint-context.ts';
import { CheckFailure } from './verdict.ts';
import type { VerifyOptions } from './verify-options.ts';

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

/** What every check of a bundle is made of. */
export type BundleContext = CheckpointContext & {
  readonly bundle: AnyBundle;
  /** The record, its events and its attachments, in this order. */
  readonly leaves: readonly ShownLeaf[];
  /** Accesses, what became of the assets accessed, and holds. They are about assets and about the workspace. */
  readonly otherLeaves: readonly ShownLeaf[];
};

const ERASURE_TYPES: readonly EntryType[] = ['evidence_redacted', 'evidence_expired'];
const HOLD_TYPES: readonly EntryType[] = ['hold_placed', 'hold_released'];

/** The context of a bundle that is of the format. */
export function createContext(bundle: AnyBundle, trust: TrustFile, options: VerifyOptions): BundleContext {
  const { record, events, attachments, evidence, holds = [] } = bundle;
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
  const otherLeaves = [...(evidence ? listEvidence(evidence) : []), ...listHolds(holds, bundle.workspace_id)];
  const base = createCheckpointContext(bundle, trust, options, [...leaves, ...otherLeaves]);
  return { ...base, bundle, leaves, otherLeaves };
}

function listHolds(holds: BundleHolds, subject: string): readonly ShownLeaf[] {
  return holds.map((leaf, i) => {
    const { id, version } = leaf.core;
    const seq = typeof version === 'number' ? version : 0;
    return { ...leaf, name: nameHold(i), types: HOLD_TYPES, id, subject, seq };
  });
}

/** How details name an entry about a hold, from its place in the bundle. */
export function nameHold(i: number): string {
  return `hold entry ${i + 1}`;
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
