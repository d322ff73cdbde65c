import type { JsonValue, TrustFile } from '@answer-evidence/contracts';
import { formatTimestamp, MICROS_PER_SECOND, parseTimestamp } from '@answer-evidence/encoding';
import {
  type Checkpoint,
  findQuorumTime,
  parseCheckpoint,
  parseNote,
  parseTlogProof,
  parseVkey,
  parseWitnessPolicy,
  verifyCosignatures,
} from '@answer-evidence/note';
import { createContext, readEntry } from './bundle-context.ts';
import { readBundle } from './bundle-format.ts';
import { type CheckpointContext, createCheckpointContext, type ShownCheckpoint } from './checkpoint-context.ts';
import { checkWitnesses } from './checks/anchoring.ts';
import type { Attestation, GivenTree, GivenTrees, LeafConflict } from './given-tree.ts';
import { once } from './once.ts';
import { readReconciliationProof } from './reconciliation/read-proof.ts';
import { findPins, requirePins, verifyPinned } from './trusted-checkpoint.ts';
import type { VerifyOptions } from './verify-options.ts';
import { NOBODY } from './without-trust.ts';

/** A file as far as it shows a tree: a bundle or proof as JSON, or the text of a receipt or checkpoint. */
export type ShownFile = { readonly json: JsonValue } | { readonly receipt: string } | { readonly checkpoint: string };

type Leaves = Parameters<typeof createCheckpointContext>[3];
type Shown = { readonly shown: ShownCheckpoint; readonly leaves: Leaves };
type PlacedLeaf = { readonly index: number; readonly at: number; readonly entry: string };
type Opened = { readonly trees: readonly GivenTree[]; readonly conflicts: readonly LeafConflict[] };

/** Reads files when they are first asked about. What is not signed as `trust` demands shows nothing. */
export function openGivenTrees(
  files: readonly ShownFile[],
  trust: TrustFile,
  options: Pick<VerifyOptions, 'verifySignature' | 'verifyTimestamp'>,
): GivenTrees {
  const opening = once(async (): Promise<ReadonlyMap<string, Opened>> => {
    const trees = new Map<string, GivenTree[]>();
    const leaves = new Map<string, Map<string, PlacedLeaf>>();
    for (const { shown, leaves: own } of groupByTree(files)) {
      const context = createCheckpointContext(shown, trust, options, own);
      const checkpoint = await findSigned(context);
      if (checkpoint === undefined) continue;
      const { origin } = checkpoint;
      trees.set(origin, [...(trees.get(origin) ?? []), { ...checkpoint, attested: await findAttestations(context) }]);
      const known = leaves.get(origin) ?? new Map<string, PlacedLeaf>();
      leaves.set(origin, known);
      for (const leaf of context.proven()) {
        const placed = { index: leaf.leaf_index, at: parseTimestamp(readEntry(leaf).at), entry: leaf.entry };
        known.set(`${leaf.leaf_index} ${leaf.entry}`, placed);
      }
    }
    return new Map(
      [...trees].map(([origin, of]) => [
        origin,
        { trees: of, conflicts: findConflicts([...(leaves.get(origin)?.values() ?? [])]) },
      ]),
    );
  });
  return {
    treesOf: async (origin) => (await opening()).get(origin)?.trees ?? [],
    conflictsOf: async (origin) => (await opening()).get(origin)?.conflicts ?? [],
  };
}

/** Files of one tree with the same artefacts are one: a pack of thousands of records mostly has one checkpoint. */
function groupByTree(files: readonly ShownFile[]): readonly Shown[] {
  const groups = new Map<string, { readonly shown: ShownCheckpoint; readonly leaves: Leaves[number][] }>();
  for (const { shown, leaves } of files.flatMap((file) => readShown(file) ?? [])) {
    const key = JSON.stringify([shown.origin, shown.checkpoint, shown.anchors, shown.renewals]);
    const known = groups.get(key) ?? { shown, leaves: [] };
    groups.set(key, known);
    known.leaves.push(...leaves);
  }
  return [...groups.values()];
}

/** What is damaged shows no tree, and fails its own checks. */
function readShown(file: ShownFile): Shown | undefined {
  try {
    if ('checkpoint' in file) return showNote(file.checkpoint);
    return 'receipt' in file ? showNote(parseTlogProof(file.receipt).checkpoint) : readJson(file.json);
  } catch {
    return undefined;
  }
}

function showNote(checkpoint: string): Shown {
  const { origin } = parseCheckpoint(parseNote(checkpoint).text);
  return { shown: { origin, checkpoint, anchors: [], log_keys: [], policy: null }, leaves: [] };
}

function readJson(value: JsonValue): Shown | undefined {
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : undefined;
  if (format === 'answer-evidence-reconciliation/v1') {
    const read = readReconciliationProof(value);
    return read.kind === 'proof' ? { shown: read.proof, leaves: [{ ...read.proof.run, name: 'the run' }] } : undefined;
  }
  const read = readBundle(value);
  if (read.kind !== 'bundle') return undefined;
  const { leaves, otherLeaves } = createContext(read.bundle, NOBODY, NO_MEANS);
  return { shown: read.bundle, leaves: [...leaves, ...otherLeaves] };
}

const NO_MEANS: VerifyOptions = { verifySignature: () => Promise.resolve(false) };

async function findSigned({ readCheckpoint, trust, options }: CheckpointContext): Promise<Checkpoint | undefined> {
  try {
    const { note, checkpoint } = readCheckpoint();
    const keys = requirePins(trust, checkpoint.origin);
    // Receipts are among the files.
    await verifyPinned(note, checkpoint, keys, options.verifySignature, 'ed25519-keys');
    return checkpoint;
  } catch {
    // Its own verification says what is wrong with it.
    return undefined;
  }
}

async function findAttestations(context: CheckpointContext): Promise<readonly Attestation[]> {
  return [...(await findByAnchors(context)), ...(await findByWitnesses(context))];
}

async function findByAnchors({ judgeAnchors }: CheckpointContext): Promise<readonly Attestation[]> {
  try {
    const { notLaterThan } = await judgeAnchors();
    if (notLaterThan === null) return [];
    const by = notLaterThan.anchorIds.map((name) => ({ kind: 'anchor' as const, name }));
    return [{ micros: notLaterThan.micros, by, isQuorum: false }];
  } catch {
    return [];
  }
}

async function findByWitnesses(context: CheckpointContext): Promise<readonly Attestation[]> {
  const { trust, options } = context;
  try {
    if (trust.witness_policy === null || (await checkWitnesses(context)).outcome !== 'PASS') return [];
    const { note, checkpoint } = context.readCheckpoint();
    const policy = parseWitnessPolicy(trust.witness_policy);
    const logKeys = (findPins(trust, checkpoint.origin) ?? []).map(({ vkey }) => parseVkey(vkey));
    const reached = findQuorumTime(policy, await verifyCosignatures(note, policy, options.verifySignature), logKeys);
    if (reached === undefined) return [];
    const by = reached.counted.map((name) => ({ kind: 'witness' as const, name }));
    return [{ micros: reached.seconds * MICROS_PER_SECOND, by, isQuorum: true }];
  } catch {
    return [];
  }
}

/** Each leaf against the one before it, of those that any of the files shows. */
function findConflicts(leaves: readonly PlacedLeaf[]): readonly LeafConflict[] {
  const inOrder = leaves.toSorted((a, b) => a.index - b.index || a.at - b.at);
  return inOrder.flatMap((leaf, n): LeafConflict[] => {
    const before = inOrder[n - 1];
    if (before === undefined) return [];
    const places = [before.index, leaf.index] as const;
    if (before.index === leaf.index)
      return [{ leaves: places, detail: `two files show two different leaves ${leaf.index} of one log` }];
    // Every leaf between them takes a microsecond.
    if (leaf.at >= before.at + (leaf.index - before.index)) return [];
    const times = `${formatTimestamp(leaf.at)}, which is not later than ${formatTimestamp(before.at)}`;
    return [{ leaves: places, detail: `leaf ${leaf.index} has the time ${times} of leaf ${before.index}` }];
  });
}
