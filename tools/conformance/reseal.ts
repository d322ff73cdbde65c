import { createPrivateKey, createPublicKey, sign as signWith } from 'node:crypto';
import { hashCore, hashItem } from '@answer-evidence/commitments';
import type { EntryType, JsonValue, ProofBundle, TrustFile } from '@answer-evidence/contracts';
import { canonicalize, formatHex, formatTimestamp, parseTimestamp } from '@answer-evidence/encoding';
import { leafHash, TILE_WIDTH } from '@answer-evidence/merkle';
import {
  COSIGNATURE_ED25519,
  COSIGNATURE_ML_DSA_44,
  createVkey,
  ED25519,
  formatNote,
  formatTlogProof,
  formatVkey,
  parseVkey,
  signCosignature,
  signTree,
  type TreeKey,
} from '@answer-evidence/note';
import { hashesOf, pathOf, rootOf } from './trees.ts';

type SuiteKey = TreeKey & { readonly sign: (message: string | Uint8Array) => Uint8Array };

/** A key of this name, of a log or a witness. Its seed is known to anyone: it signs nothing but cases. */
export function createSuiteKey(name: string, seed: number, type: number = ED25519): SuiteKey {
  const isMlDsa = type === COSIGNATURE_ML_DSA_44;
  const prefix = isMlDsa ? '3034020100300b060960864801650304031104228020' : '302e020100300506032b657004220420';
  const pkcs8 = Buffer.concat([Buffer.from(prefix, 'hex'), Buffer.alloc(32, seed)]);
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const vkey = formatVkey(createVkey(name, type, new Uint8Array(spki.subarray(isMlDsa ? -1312 : -32))));
  return { vkey, sign: (message) => new Uint8Array(signWith(null, Buffer.from(message), privateKey)) };
}

/** A witness of the suite; `n` tells them apart. */
export const createWitness = (n: number) => createSuiteKey(`witness.example/${n}`, 100 + n, COSIGNATURE_ED25519);
/** The ML-DSA-44 key of the same witness. */
export const createWitnessPq = (n: number) => createSuiteKey(`witness.example/${n}`, 100 + n, COSIGNATURE_ML_DSA_44);

/** A bundle with the entries of its log, of which the suite holds the key. */
export type World = { readonly bundle: ProofBundle; readonly entries: string[]; readonly trust: TrustFile };
/** A leaf of a bundle, with what its entry is made of. */
export type Leaf = {
  leaf_index: number;
  entry: string;
  leaf_hash: string;
  readonly core: { readonly [member: string]: JsonValue };
};
/** An entry, in any form. */
export type LooseEntry = Record<string, JsonValue>;

/** What a case changes: before everything is hashed and signed again, or only after it. */
export type Change = {
  readonly before?: (world: World) => void;
  /** After the leaves are hashed, before the tree is. */
  readonly leaves?: (world: World) => void;
  readonly after?: (world: World) => void;
  /** Who cosigns, and when, in seconds. */
  readonly witnesses?: readonly (readonly [witness: SuiteKey, seconds: number])[];
};

/**
 * Applies a change to a copy of a world, and makes every hash, proof and signature again: what then fails is the
 * rule that was broken, and no hash.
 */
export function reseal(world: World, change: Change = {}): World {
  const made: World = structuredClone(world);
  change.before?.(made);
  hashLeaves(made);
  change.leaves?.(made);
  signLeaves(made, change.witnesses ?? []);
  change.after?.(made);
  return made;
}

const TYPES = { record: 'answer_recorded', event: 'lifecycle_event' } as const;

function hashLeaves({ bundle, entries }: World): void {
  const { record, events } = bundle;
  hashItems(record.core.source_refs, record.disclosed.source_refs);
  record.disclosed.semantic_refs.forEach((item, n) => {
    if (item !== null) record.core.semantic_refs[n] = hashItem(item.salt, item.item);
  });
  let previous = writeEntry(record, TYPES.record, entries);
  for (const event of events) {
    const { core, disclosed } = event;
    if (disclosed.reason !== null) core.reason_hash = hashItem(disclosed.reason.salt, disclosed.reason.item);
    if (disclosed.payload_rest !== null)
      core.payload_rest_hash = hashItem(disclosed.payload_rest.salt, disclosed.payload_rest.item);
    core.prev_event_hash = previous;
    previous = writeEntry(event, TYPES.event, entries);
  }
  for (const leaf of [...bundle.attachments, ...evidenceOf(bundle), ...(bundle.holds ?? [])])
    writeEntry(leaf, readEntry(leaf)['type'] as EntryType, entries);
}

/** The leaves of the evidence of a bundle. */
export function evidenceOf({ evidence }: ProofBundle): readonly (Leaf & { proof: string })[] {
  if (evidence === undefined || evidence === null) return [];
  return [...evidence.accesses, ...evidence.assets.flatMap(({ registered, erasures }) => [registered, ...erasures])];
}

function hashItems(
  committed: readonly { hash: string }[],
  shown: ProofBundle['record']['disclosed']['source_refs'],
): void {
  shown.forEach((item, n) => {
    const ref = committed[n];
    if (item !== null && ref !== undefined) ref.hash = hashItem(item.salt, item.item);
  });
}

/** The entry of a leaf, with the hash and the id of its core. */
function writeEntry(leaf: Leaf, type: EntryType, entries: string[]): string {
  const hash = hashCore(type, leaf.core);
  setEntry(leaf, { ...readEntry(leaf), hash, id: leaf.core['id'] ?? null }, entries);
  return hash;
}

/** The entry of a leaf. */
export function readEntry(leaf: Leaf): LooseEntry {
  return JSON.parse(leaf.entry) as LooseEntry;
}

/** A time by so many microseconds after that of an entry. */
export function timeAfter(entry: LooseEntry | undefined, micros: number): string {
  const at = entry?.['at'];
  if (typeof at !== 'string') throw new Error('there is no such entry, or it has no time');
  return formatTimestamp(parseTimestamp(at) + micros);
}

/** Puts an entry at its leaf, in the bundle and in the log. */
export function setEntry(leaf: Leaf, entry: LooseEntry, entries: string[]): void {
  leaf.entry = canonicalize(entry);
  leaf.leaf_hash = formatHex(leafHash(leaf.entry));
  entries[leaf.leaf_index] = leaf.entry;
}

/** The checkpoint of the first leaves of a log, all by default, signed by the suite's key and cosigned. */
export function signCheckpoint(
  { bundle: { origin }, entries }: Pick<World, 'bundle' | 'entries'>,
  witnesses: NonNullable<Change['witnesses']>,
  size = entries.length,
): string {
  const root = rootOf(hashesOf(entries.slice(0, size)));
  const note = signTree({ origin, size, root }, [createSuiteKey(origin, 1)]);
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  const cosigned = witnesses.map(([witness, seconds]) =>
    signCosignature(text, parseVkey(witness.vkey), seconds, witness.sign),
  );
  const line = note.slice(text.length + 1);
  const lines = cosigned.map((signature) => formatNote({ text, signatures: [signature] }).slice(text.length + 1));
  return `${text}\n${line}${lines.join('')}`;
}

function signLeaves({ bundle, entries, trust }: World, witnesses: NonNullable<Change['witnesses']>): void {
  const { origin } = bundle;
  const key = createSuiteKey(origin, 1);
  const hashes = hashesOf(entries);
  bundle.checkpoint = signCheckpoint({ bundle, entries }, witnesses);
  const keys = [{ vkey: key.vkey, first_tree_size: 0, last_tree_size: null }];
  bundle.log_keys = keys;
  trust.logs = [{ origin, keys: [...keys] }];
  const holds = bundle.holds ?? [];
  for (const leaf of [bundle.record, ...bundle.events, ...bundle.attachments, ...evidenceOf(bundle), ...holds])
    leaf.proof = formatTlogProof({
      index: leaf.leaf_index,
      hashes: pathOf(hashes, leaf.leaf_index),
      checkpoint: bundle.checkpoint,
    });
}

/** The tiles of a log of entries and leaf hashes, in base64; none above level 0. */
export function tilesOf(entries: readonly string[]): Readonly<Record<string, string>> {
  const tiles: Record<string, string> = {};
  for (let from = 0; from < entries.length; from += TILE_WIDTH) {
    const held = entries.slice(from, from + TILE_WIDTH);
    const number = String(from / TILE_WIDTH).padStart(3, '0');
    const at = held.length === TILE_WIDTH ? number : `${number}.p/${held.length}`;
    tiles[`tile/entries/${at}`] = Buffer.concat(held.flatMap(pack)).toString('base64');
    tiles[`tile/0/${at}`] = Buffer.concat(held.map((entry) => leafHash(entry))).toString('base64');
  }
  return tiles;
}

function pack(entry: string): readonly Uint8Array[] {
  const bytes = Buffer.from(entry);
  return [Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes];
}
