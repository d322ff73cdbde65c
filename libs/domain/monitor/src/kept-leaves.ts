import type { TrustFile } from '@answer-evidence/contracts';
import { sha256Hex } from '@answer-evidence/digest';
import { equalBytes } from '@answer-evidence/encoding';
import { leafHash, MerkleError, rootFromInclusion, verifyInclusion } from '@answer-evidence/merkle';
import {
  type Checkpoint,
  NoteError,
  parseCheckpoint,
  parseNote,
  parseTlogProof,
  type TlogProof,
  type VerifySignature,
} from '@answer-evidence/note';
import { compareTrees, findPins, type TileTree } from '@answer-evidence/verify';
import { CheckFailure } from '@answer-evidence/verify/verdict';
import { contradiction, type Finding } from './finding.ts';
import { type SignedCheckpoint, verifySigners } from './signed-checkpoint.ts';

/** A leaf that somebody keeps a receipt of, from a receipt file or out of a bundle. */
export type KeptLeaf = {
  /** How reports name it, such as the name of its file. */
  readonly name: string;
  /** The tlog-proof, as it was given. */
  readonly receipt: string;
  /** The text of the entry, where it was kept too. */
  readonly entry?: string;
  /** Why what was kept with it is not what the entry is about, if it is not. */
  readonly fault?: string;
};

/** A kept leaf whose receipt can be read. */
export type ReadLeaf = KeptLeaf & {
  readonly digest: string;
  readonly proof: TlogProof;
  readonly given: Checkpoint;
};

/** Reads a kept leaf; nothing is verified. */
export function readLeaf(kept: KeptLeaf): ReadLeaf | Finding {
  if (kept.receipt === '') return invalid(kept, 'it has no receipt that can be read');
  if (kept.fault !== undefined) return invalid(kept, kept.fault);
  try {
    const proof = parseTlogProof(kept.receipt);
    const given = parseCheckpoint(parseNote(proof.checkpoint).text);
    return { ...kept, digest: sha256Hex(`${kept.receipt}\n${kept.entry ?? ''}`), proof, given };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return invalid(kept, error.reason);
  }
}

/** Whether a leaf is one of the log of this name: under this name, or under one that it had before. */
export function belongsTo({ given }: ReadLeaf, origin: string, trust: TrustFile): boolean {
  if (given.origin === origin) return true;
  const workspaceOf = (name: string) => name.slice(0, name.lastIndexOf('/'));
  return workspaceOf(given.origin) === workspaceOf(origin) && findPins(trust, given.origin) !== undefined;
}

/**
 * What a kept leaf comes to: proven in the log, newer than the checkpoint, undecided until all entries have been read,
 * or wrong.
 */
type LeafJudgement =
  | { readonly kind: 'proven' | 'newer' | 'undecided' }
  | { readonly kind: 'wrong'; readonly findings: readonly Finding[] };

/** What a kept leaf is compared with. */
type LeafWorld = {
  readonly shown: SignedCheckpoint;
  readonly tiles: TileTree;
  readonly trust: TrustFile;
  readonly verify: VerifySignature;
  /** Leaves at which the log got another name; undefined until all entries have been read. */
  readonly epochs: readonly number[] | undefined;
};

/**
 * Whether a leaf is in the log, re-computed from its tiles. The tree of its receipt must be a part of the log's, and
 * the leaf in its place must be the one that was kept. Throws `CheckFailure` when the tiles do not lead to the
 * checkpoint.
 */
export async function judgeLeaf(leaf: ReadLeaf, world: LeafWorld): Promise<LeafJudgement> {
  const fault = await findFault(leaf, world);
  if (fault !== undefined) return { kind: 'wrong', findings: [fault] };
  const { given, proof } = leaf;
  const { checkpoint } = world.shown;
  const isEarlierName = given.origin !== checkpoint.origin;
  // Under an earlier name no tree holds the leaf that opens the next one. What was larger is lost.
  if (isEarlierName && world.epochs === undefined) return { kind: 'undecided' };
  if (isEarlierName && world.epochs?.some((epoch) => given.size <= epoch) !== true)
    return {
      kind: 'wrong',
      findings: [missing(leaf, `it was signed as ${given.origin}, and the log goes on without it`)],
    };
  if (given.size > checkpoint.size) return { kind: 'newer' };

  const comparison = await compareTrees(given, checkpoint, world.tiles);
  const isThere = await isLeafThere(leaf, world);
  if (comparison.kind === 'one-history') {
    return isThere ? { kind: 'proven' } : { kind: 'wrong', findings: [missing(leaf, OTHER_LEAF)] };
  }
  if (isEarlierName) return { kind: 'wrong', findings: [missing(leaf, `it was signed as ${given.origin}`)] };
  const detail = `the tree of ${given.size} leaves in which ${leaf.name} was given is not a part of the tree of ${checkpoint.size} leaves`;
  const fork = contradiction('fork', detail, [proof.checkpoint, world.shown.text], comparison.prefix);
  return { kind: 'wrong', findings: [fork, ...(isThere ? [] : [missing(leaf, OTHER_LEAF)])] };
}

const OTHER_LEAF = 'another leaf is in its place';

/** Whether the log has in the leaf's place what the receipt is about. */
async function isLeafThere({ proof, given, entry }: ReadLeaf, { shown, tiles }: LeafWorld): Promise<boolean> {
  const { checkpoint } = shown;
  const { hash, proof: inclusion } = await tiles.leafAt(proof.index);
  try {
    verifyInclusion(proof.index, checkpoint.size, hash, inclusion, checkpoint.root);
  } catch (error) {
    if (!(error instanceof MerkleError)) throw error;
    throw new CheckFailure(`the tiles of the log do not produce the root of its tree of ${checkpoint.size} leaves`);
  }
  if (entry !== undefined) return equalBytes(hash, leafHash(entry));
  return equalBytes(rootFromInclusion(proof.index, given.size, hash, proof.hashes), given.root);
}

/** What is wrong with the kept file itself. */
async function findFault(leaf: ReadLeaf, { trust, verify }: LeafWorld): Promise<Finding | undefined> {
  const { given, proof, entry } = leaf;
  try {
    const pins = findPins(trust, given.origin) ?? [];
    await verifySigners(parseNote(proof.checkpoint), given, pins, verify);
    // Without the entry any leaf shows whether the proof has the length that its place asks for.
    const hash = entry === undefined ? given.root : leafHash(entry);
    const root = rootFromInclusion(proof.index, given.size, hash, proof.hashes);
    if (entry !== undefined && !equalBytes(root, given.root)) return invalid(leaf, 'the proof leads to another root');
    return undefined;
  } catch (error) {
    const isJudged = error instanceof NoteError || error instanceof CheckFailure || error instanceof MerkleError;
    if (!isJudged) throw error;
    return invalid(leaf, error.message);
  }
}

/** The leaf is not where its receipt says. */
export function missing({ name, proof }: ReadLeaf, reason: string): Finding {
  const detail = `leaf ${proof.index} of ${name} is not in the log: ${reason}`;
  return { kind: 'missing_entry', detail, leaf: name };
}

function invalid({ name }: KeptLeaf, reason: string): Finding {
  return { kind: 'invalid_receipt', detail: `${name} does not hold: ${reason}`, leaf: name };
}
