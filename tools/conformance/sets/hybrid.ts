import { COSIGNATURE_ML_DSA_44, formatTlogProof, signTree } from '@answer-evidence/note';
import type { Given } from '../../../conformance/run.mjs';
import { createSuiteKey, createWitnessPq, evidenceOf, reseal, type World } from '../reseal.ts';
import { hashesOf, pathOf, rootOf } from '../trees.ts';
import { give, type Open, type WholeCase } from './whole-case.ts';

/** The ML-DSA-44 key of a log; `n` tells keys of one name apart. */
const pqKeyOf = (origin: string, n = 1) => createSuiteKey(origin, n, COSIGNATURE_ML_DSA_44);

/** By which keys of a log, Ed25519 and ML-DSA-44, a checkpoint is signed. */
type Signed = { readonly ed?: boolean; readonly pq?: number | null; readonly size?: number };

function noteOf({ bundle: { origin }, entries }: World, { ed = true, pq = 1, size = entries.length }: Signed): string {
  const keys = [...(ed ? [createSuiteKey(origin, 1)] : []), ...(pq === null ? [] : [pqKeyOf(origin, pq)])];
  return signTree({ origin, size, root: rootOf(hashesOf(entries.slice(0, size))) }, keys);
}

/** Puts a checkpoint into a bundle, and into each of its proofs. */
function show({ bundle }: World, checkpoint: string): void {
  const place = ({ proof }: { proof: string }) => proof.slice(0, proof.indexOf('\n\n') + 2) + checkpoint;
  bundle.checkpoint = checkpoint;
  for (const leaf of [bundle.record, ...bundle.events, ...bundle.attachments, ...evidenceOf(bundle)])
    leaf.proof = place(leaf);
}

function pin({ bundle: { origin }, trust }: World, firstTreeSize = 0): void {
  trust.logs[0]?.keys.push({ vkey: pqKeyOf(origin).vkey, first_tree_size: firstTreeSize, last_tree_size: null });
}

/** The note with one byte of its last line changed, from the key id on. */
function withByte(note: string, at: number): string {
  const start = note.lastIndexOf(' ') + 1;
  const line = Buffer.from(note.slice(start), 'base64');
  line[at] = (line[at] ?? 0) ^ 1;
  return `${note.slice(0, start)}${line.toString('base64')}\n`;
}

/** The note with another end of its last line. */
function withoutBytes(note: string, count: number): string {
  const start = note.lastIndexOf(' ') + 1;
  const line = Buffer.from(note.slice(start), 'base64');
  return `${note.slice(0, start)}${line.subarray(0, -count).toString('base64')}\n`;
}

type Case = readonly [name: string, outcome: string, change: (world: World) => void];

const CASES: readonly Case[] = [
  ['by both keys', 'PASS', (world) => (show(world, noteOf(world, {})), pin(world))],
  ['without the ML-DSA-44 line', 'FAIL', (world) => (show(world, noteOf(world, { pq: null })), pin(world))],
  ['without the Ed25519 line', 'FAIL', (world) => (show(world, noteOf(world, { ed: false })), pin(world))],
  ['by another ML-DSA-44 key of its name', 'FAIL', (world) => (show(world, noteOf(world, { pq: 2 })), pin(world))],
  ['a line that nobody pins', 'PASS', (world) => show(world, noteOf(world, {}))],
  ['a wrong line that nobody pins', 'PASS', (world) => show(world, withByte(noteOf(world, {}), 1000))],
  ...[11, 12, 1000, 2431].map((at): Case => [
    `with another byte ${at}`,
    'FAIL',
    (world) => (show(world, withByte(noteOf(world, {}), at)), pin(world)),
  ]),
  ['with a byte too few', 'FAIL', (world) => (show(world, withoutBytes(noteOf(world, {}), 1)), pin(world))],
  [
    'a line of a smaller tree',
    'FAIL',
    (world) => {
      const smaller = noteOf(world, { size: world.entries.length - 1 });
      show(world, noteOf(world, { pq: null }) + smaller.slice(smaller.lastIndexOf('\u2014')));
      pin(world);
    },
  ],
  ['a key from this size on', 'PASS', (world) => (show(world, noteOf(world, {})), pin(world, world.entries.length))],
  [
    'a key from a larger size on',
    'PASS',
    (world) => (show(world, noteOf(world, { pq: null })), pin(world, world.entries.length + 1)),
  ],
  [
    'a key that the bundle names',
    'FAIL',
    (world) => {
      show(world, noteOf(world, {}));
      pin(world);
      world.bundle.log_keys.push({ vkey: pqKeyOf(world.bundle.origin).vkey, first_tree_size: 0, last_tree_size: null });
    },
  ],
];

/** Logs that sign by Ed25519 and ML-DSA-44 side by side. */
export function listHybrid(open: Open): readonly WholeCase[] {
  const bundles = CASES.map(([name, outcome, change]): WholeCase => ({
    id: `hybrid: ${name}`,
    given: give(reseal(open('plain'), { after: change })),
    expected: { outcomes: { checkpoint_signature: outcome, merkle_inclusion: 'PASS' } },
  }));
  return [...bundles, ...listWitnessed(open), ...listOwn(open), ...listReceipts(open), ...listFiles(open)];
}

/** The log's own key is no witness, whatever a policy says. */
function listWitnessed(open: Open): readonly WholeCase[] {
  const policyOf = (vkey: string) => `witness a ${vkey}\nquorum a\n`;
  const world = reseal(open('plain'), {
    after: (made) => {
      show(made, noteOf(made, {}));
      pin(made);
      made.trust.witness_policy = policyOf(pqKeyOf(made.bundle.origin).vkey);
    },
  });
  return [
    {
      id: 'hybrid: the key of the log as its witness',
      given: give(world),
      // The time that it states, none, is before every leaf.
      expected: { outcomes: { checkpoint_signature: 'PASS', witness_cosignatures: 'FAIL' } },
    },
  ];
}

/** A receipt is signed by the Ed25519 keys alone, and that is enough where both are pinned. */
function listOwn(open: Open): readonly WholeCase[] {
  const world = reseal(open('plain'), { after: (made) => (show(made, noteOf(made, {})), pin(made)) });
  const { record } = world.bundle;
  const hashes = pathOf(hashesOf(world.entries), record.leaf_index);
  const own = (checkpoint: string) => formatTlogProof({ index: record.leaf_index, hashes, checkpoint });
  const given = give(world);
  return [
    ['by Ed25519', noteOf(world, { pq: null }), 'PASS'] as const,
    ['by both keys', noteOf(world, {}), 'PASS'] as const,
    ['by ML-DSA-44 alone', noteOf(world, { ed: false }), 'FAIL'] as const,
  ].map(([name, note, outcome]) => ({
    id: `hybrid: own receipt ${name}`,
    given: { ...given, files: { ...given.files, receipt: own(note) } },
    expected: { outcomes: { checkpoint_signature: 'PASS', receipt: outcome } },
  }));
}

/** Receipts under keys that were given by themselves: one that signed is enough, and none of them may be wrong. */
function listReceipts(open: Open): readonly WholeCase[] {
  const world = reseal(open('plain'));
  const { origin, record } = world.bundle;
  const [ed, pq] = [createSuiteKey(origin, 1).vkey, pqKeyOf(origin).vkey];
  const both = noteOf(world, {});
  const hashes = pathOf(hashesOf(world.entries), record.leaf_index);
  return [
    ['under both keys', both, [ed, pq], 'PASS'] as const,
    ['under the ML-DSA-44 key', both, [pq], 'PASS'] as const,
    ['under the Ed25519 key, with a wrong line of the other', withByte(both, 1000), [ed], 'PASS'] as const,
    ['under both keys, of which one signed wrongly', withByte(both, 1000), [ed, pq], 'FAIL'] as const,
    ['by Ed25519 under the ML-DSA-44 key', noteOf(world, { pq: null }), [pq], 'FAIL'] as const,
  ].map(([name, checkpoint, vkeys, outcome]) => ({
    id: `hybrid: receipt ${name}`,
    given: {
      kind: 'receipt',
      files: { receipt: formatTlogProof({ index: record.leaf_index, hashes, checkpoint }), entry: record.entry },
      vkeys,
    } satisfies Given,
    expected: { outcomes: { checkpoint_signature: outcome, merkle_inclusion: 'PASS' } },
  }));
}

/** Pins that can be read, and those that cannot. */
function listFiles(open: Open): readonly WholeCase[] {
  const refused = reseal(open('plain'), {
    after: ({ trust }) =>
      trust.logs[0]?.keys.push({ vkey: witnessAsEd25519(), first_tree_size: 0, last_tree_size: null }),
  });
  return [{ id: 'hybrid: a key of the wrong length', given: give(refused), expected: { refused: true } }];
}

/** The vkey of an ML-DSA-44 key that says that it is of Ed25519. */
function witnessAsEd25519(): string {
  const [name = '', id = '', key = ''] = createWitnessPq(1).vkey.split('+', 3);
  const bytes = Buffer.from(key, 'base64');
  bytes[0] = 1;
  return `${name}+${id}+${bytes.toString('base64')}`;
}
