import { describe, expect, it } from '@jest/globals';
import { type EntryFields, formatEntry } from '@answer-evidence/commitments';
import type { EntryType } from '@answer-evidence/contracts';
import { concatBytes, utf8 } from '@answer-evidence/encoding';
import {
  appendLeaves,
  EMPTY_ROOT,
  type Frontier,
  leafHash,
  nodeHash,
  parseTilePath,
  TILE_WIDTH,
} from '@answer-evidence/merkle';
import { formatCheckpoint, formatTlogProof, parseNote } from '@answer-evidence/note';
import { createCheckpointContext } from '../checkpoint-context.ts';
import { createTlogView } from '../tlog-view.ts';
import { runCheck } from '../verdict.ts';
import { checkLogOrder } from './log-order.ts';

const START = 1_700_000_000_000_000;
const idOf = (index: number) => `0199f3c2-0000-7000-8000-${index.toString(16).padStart(12, '0')}`;
const WORKSPACE = '0199f3c2-0000-7000-9000-000000000001';
const ASSET = '0199f3c2-0000-7000-9000-000000000002';

type Places = Readonly<Record<number, Partial<EntryFields> & { readonly type?: EntryType }>>;

/** An honest log with an entry of each kind of place. */
const HONEST: Places = {
  0: { type: 'genesis' },
  1: { type: 'settings_changed', subject: WORKSPACE, seq: 1 },
  2: { type: 'member_changed', subject: WORKSPACE, seq: 1 },
  3: { type: 'token_issued', subject: WORKSPACE },
  5: { type: 'lifecycle_event', subject: idOf(4), seq: 1 },
  6: { type: 'evidence_registered', subject: ASSET },
  7: { type: 'evidence_accessed', subject: ASSET },
  8: { type: 'text_expired', subject: idOf(4) },
  9: { type: 'settings_changed', subject: WORKSPACE, seq: 2 },
  11: { type: 'lifecycle_event', subject: idOf(4), seq: 2 },
  12: { type: 'trust_policy_changed', subject: WORKSPACE, seq: 1 },
  13: { type: 'ledger_key_changed', subject: WORKSPACE, seq: 1 },
  14: { type: 'epoch_opened', seq: 1 },
  15: { type: 'ledger_key_changed', subject: WORKSPACE, seq: 2 },
  // The same member, or another one: no entry says which.
  16: { type: 'member_changed', subject: WORKSPACE, seq: 1 },
  300: { type: 'lifecycle_event', subject: idOf(10), seq: 1 },
};

/** The inclusion proof of a leaf (RFC 6962). */
function pathOf(hashes: readonly Uint8Array[], index: number): readonly Uint8Array[] {
  if (hashes.length === 1) return [];
  const left = 2 ** Math.ceil(Math.log2(hashes.length) - 1);
  const [one, other] = [hashes.slice(0, left), hashes.slice(left)];
  return index < left ? [...pathOf(one, index), rootOf(other)] : [...pathOf(other, index - left), rootOf(one)];
}

function rootOf(hashes: readonly Uint8Array[]): Uint8Array {
  const [only = EMPTY_ROOT] = hashes;
  if (hashes.length <= 1) return only;
  const left = 2 ** Math.ceil(Math.log2(hashes.length) - 1);
  return nodeHash(rootOf(hashes.slice(0, left)), rootOf(hashes.slice(left)));
}

/**
 * Checks a log of 310 leaves. `lacks` are bundles of entries that the copy has not, `shows` the leaves that the
 * evidence has with their proofs; of those in `forged`, the proof is that of another leaf.
 */
async function check(
  changes: Places,
  lacks: readonly number[] = [],
  shows: readonly number[] = [],
  forged: readonly number[] = [],
) {
  const entries = Array.from({ length: 310 }, (_, index) => {
    const id = idOf(index);
    const plain = { type: 'answer_recorded', id, subject: id, seq: 0, hash: new Uint8Array(32), at: START + index };
    return formatEntry({ ...plain, ...HONEST[index], ...changes[index] } as EntryFields);
  });
  const hashes = entries.map((entry) => leafHash(entry));
  let tree: { frontier: Frontier; root: Uint8Array } = { frontier: [], root: EMPTY_ROOT };
  for (let at = 0; at < entries.length; at += TILE_WIDTH)
    tree = appendLeaves(at, tree.frontier, hashes.slice(at, at + TILE_WIDTH));
  const checkpoint = { origin: 'log.example/demo/00000000', size: entries.length, root: tree.root };
  const read = (path: string) => {
    const { level, index, width } = parseTilePath(path);
    const from = index * TILE_WIDTH;
    if (from + width > entries.length || (level === 'entries' && lacks.includes(index))) return undefined;
    if (level === 0) return concatBytes(...hashes.slice(from, from + width));
    const texts = entries.slice(from, from + width).map((entry) => utf8(entry));
    return concatBytes(...texts.flatMap((text) => [Uint8Array.of(text.length >> 8, text.length & 255), text]));
  };
  const log = createTlogView((path) => Promise.resolve(read(path)), checkpoint);
  const note = `${formatCheckpoint(checkpoint)}\n— x AAAAAAA=\n`;
  expect(parseNote(note).text).toBe(formatCheckpoint(checkpoint));
  const shown = { origin: checkpoint.origin, checkpoint: note, anchors: [], log_keys: [], policy: null };
  const trust = { format: 'answer-evidence-trust/v1' as const, logs: [], witness_policy: null, tsa_roots: [] };
  const options = { verifySignature: () => Promise.resolve(false), log };
  const leaves = shows.map((index) => {
    const path = pathOf(hashes, forged.includes(index) ? index + 1 : index);
    const proof = formatTlogProof({ index, hashes: path, checkpoint: note });
    return { name: `leaf ${index}`, leaf_index: index, entry: entries[index] ?? '', proof };
  });
  const context = createCheckpointContext(shown, trust, options, leaves);
  return runCheck('log_order', () => checkLogOrder(context), { log_order: '' });
}

describe('the order of a log', () => {
  it('passes where every leaf is in its place, and says how many were read', async () => {
    expect(await check({})).toMatchObject({ outcome: 'PASS', detail: '310 leaves of the log are in order' });
  });

  const wrong: readonly (readonly [string, Places, string])[] = [
    ['a time of years ago', { 40: { at: START - 6e13 } }, 'leaf 40 has the time 2021-'],
    ['the time of the leaf before', { 40: { at: START + 39 } }, 'leaf 40 has the time'],
    ['a time after that of the next leaf', { 40: { at: START + 41 } }, 'leaf 41 has the time'],
    ['a time before the genesis', { 1: { at: START } }, 'leaf 1 has the time'],
    ['a second genesis', { 40: { type: 'genesis' } }, 'leaf 40 is a second genesis'],
    ['no genesis', { 0: { type: 'answer_recorded' } }, 'leaf 0 is not the genesis'],
    ['one record twice', { 40: { id: idOf(10), subject: idOf(10) } }, 'leaf 40 records a record a second time'],
    [
      'one event twice',
      { 301: { type: 'lifecycle_event', id: idOf(300), subject: idOf(10), seq: 2 } },
      'leaf 301 has the id',
    ],
    ['an event before its record', { 5: { subject: idOf(10) } }, 'leaf 5 is about a record'],
    ['a trace of no record', { 40: { type: 'trace_attached', subject: ASSET } }, 'leaf 40 is about a record'],
    ['two events of one number', { 11: { seq: 1 } }, 'leaf 11 has the seq 1'],
    ['a number that is left out', { 11: { seq: 3 } }, 'leaf 11 has the seq 3'],
    ['an event without a number', { 5: { seq: 0 } }, 'leaf 5 has the seq 0'],
    ['a record with a number', { 40: { seq: 1 } }, 'leaf 40 has the seq 1'],
    ['a record about another', { 40: { subject: idOf(39) } }, 'leaf 40 has a subject'],
    ['a genesis about another', { 0: { subject: idOf(39) } }, 'leaf 0 has a subject'],
    ['an access before its asset', { 6: { type: 'evidence_accessed' } }, 'leaf 6 is about an asset'],
    ['an asset twice', { 7: { type: 'evidence_registered' } }, 'leaf 7 registers an asset'],
    ['another workspace', { 9: { subject: ASSET } }, 'leaf 9 is about another workspace'],
    ['settings that go back', { 9: { seq: 1 } }, 'leaf 9 has the seq 1'],
    ['settings that leave a version out', { 9: { seq: 3 } }, 'leaf 9 has the seq 3'],
    ['a policy without a version', { 12: { seq: 0 } }, 'leaf 12 has the seq 0'],
    ['keys that count anew', { 15: { seq: 1 } }, 'leaf 15 has the seq 1'],
    ['epochs that begin with the second', { 14: { seq: 2 } }, 'leaf 14 has the seq 2'],
    ['a member without a version', { 16: { seq: 0 } }, 'leaf 16 has the seq 0'],
    ['an asset with the id of a record', { 6: { subject: idOf(4) } }, 'leaf 6 has as its subject the id of a record'],
    ['a record with the id of an asset', { 40: { id: ASSET, subject: ASSET } }, 'the id of an asset'],
    ['a record with the id of the workspace', { 40: { id: WORKSPACE, subject: WORKSPACE } }, 'the id of the workspace'],
    ['an asset with the id of the log', { 6: { subject: idOf(0) } }, 'the id of a log'],
    ['a workspace with the id of the log', { 1: { subject: idOf(0) } }, 'the id of a log'],
    [
      'an asset with the id of the workspace',
      { 40: { type: 'evidence_registered', subject: WORKSPACE } },
      'the id of the workspace',
    ],
    [
      'an epoch with the id of a subject',
      { 40: { type: 'epoch_opened', id: ASSET, subject: ASSET, seq: 2 } },
      'the id of an asset',
    ],
  ];

  it.each(wrong)('fails for %s', async (_, changes, words) => {
    const { outcome, detail } = await check(changes);
    expect({ outcome, detail }).toEqual({ outcome: 'FAIL', detail: expect.stringContaining(words) });
  });

  it('is not decided where leaves are missing, unless what is there is wrong whatever they are', async () => {
    expect(await check({}, [0])).toMatchObject({
      outcome: 'SKIP',
      detail: expect.stringContaining('tile/entries/000'),
    });
    expect(await check({}, [1])).toMatchObject({ outcome: 'SKIP' });
    // What the missing leaves could explain.
    expect(await check({ 300: { subject: ASSET, seq: 7 } }, [0])).toMatchObject({ outcome: 'SKIP' });
    for (const place of [{ at: START }, { type: 'genesis' }, { subject: idOf(1) }, { seq: 1 }] as const)
      expect(await check({ 305: place }, [0])).toMatchObject({ outcome: 'FAIL' });
  });

  it.each<[string, Places, string]>([
    ['an event', { 300: { type: 'lifecycle_event', subject: idOf(305), seq: 1 } }, 'leaf 305 comes after a leaf'],
    ['a link', { 300: { type: 'evidence_linked', subject: idOf(305) } }, 'leaf 305 comes after a leaf'],
    [
      'an access',
      {
        300: { type: 'evidence_accessed', subject: idOf(1) },
        305: { type: 'evidence_registered', subject: idOf(1) },
      },
      'leaf 305 comes after a leaf that is about its asset',
    ],
    [
      'an event of an asset',
      {
        300: { type: 'evidence_accessed', subject: idOf(1) },
        305: { type: 'lifecycle_event', subject: idOf(1), seq: 1 },
      },
      'leaf 305 has as its subject the id of an asset',
    ],
  ])('fails for %s before what it is about, whatever a leaf that is missing may be', async (_, changes, words) => {
    expect(await check(changes, [0])).toMatchObject({ outcome: 'FAIL', detail: expect.stringContaining(words) });
  });

  it('takes leaves that the evidence shows for those that a copy lacks', async () => {
    const late = { 10: { at: START + 300 } };
    expect(await check({}, [0], [10])).toMatchObject({ outcome: 'SKIP' });
    expect(await check(late, [0])).toMatchObject({ outcome: 'SKIP' });
    expect(await check(late, [0], [10])).toMatchObject({
      outcome: 'FAIL',
      detail: expect.stringContaining('leaf 256 has the time'),
    });
    expect(await check({ 20: { subject: idOf(21) } }, [0], [20])).toMatchObject({ outcome: 'FAIL' });
    expect(await check({ 5: { seq: 9 } }, [0], [4, 5, 11])).toMatchObject({
      outcome: 'FAIL',
      detail: expect.stringContaining('leaf 11 has the seq 2'),
    });
    // A shown leaf that is not in the tree says nothing of it.
    expect(await check(late, [0], [10], [10])).toMatchObject({ outcome: 'SKIP' });
  });
});
