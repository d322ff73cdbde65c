import { canonicalize } from '@answer-evidence/encoding';
import { type LooseEntry, reseal, tilesOf, timeAfter, type World } from '../reseal.ts';
import { give, type Open, type WholeCase } from './whole-case.ts';

const ASSET = '01a20522-0000-7000-9000-000000000002';
/** Longer than one tile, so that a copy can lack a tile and have another. */
const GROWN = 262;
const FIRST_TILE = 'tile/entries/000';
const LAST_TILE = `tile/entries/001.p/${GROWN - 256}`;

type Entries = readonly LooseEntry[];
/** A leaf of the log, and what its entry says instead. */
type Fault = readonly [name: string, leaf: number, change: (entries: Entries) => LooseEntry];

const of = (entries: Entries, leaf: number, member: string) => entries[leaf]?.[member] ?? null;
const about = (subject: number) => (entries: Entries) => ({ subject: of(entries, subject, 'id') });
const set = (change: LooseEntry) => () => change;

/** Every rule of the order of a log, broken once. None is of a leaf that the bundle shows. */
const FAULTS: readonly Fault[] = [
  ['a time of years ago', 40, set({ at: '2021-03-01T09:00:00.000000Z' })],
  ['a time of years ahead', 40, set({ at: '2035-03-01T09:00:00.000000Z' })],
  ['the time of the leaf before', 40, (all) => ({ at: of(all, 39, 'at') })],
  ['the time of the next leaf', 40, (all) => ({ at: of(all, 41, 'at') })],
  ['a time before the genesis', 1, set({ at: '1970-01-01T00:00:00.000000Z' })],
  ['a second genesis', 78, set({ type: 'genesis' })],
  ['a genesis that is a record', 0, set({ type: 'answer_recorded' })],
  ['a genesis about another', 0, about(1)],
  ['a genesis with a number', 0, set({ seq: 1 })],
  ['one record twice', 78, (all) => ({ id: of(all, 77, 'id'), subject: of(all, 77, 'id') })],
  ['one event twice', 38, (all) => ({ id: of(all, 37, 'id') })],
  ['one id of two types', 65, (all) => ({ id: of(all, 3, 'id') })],
  ['an event before its record', 71, (all) => ({ subject: of(all, 77, 'id') })],
  ['an event of an asset', 71, (all) => ({ subject: of(all, 39, 'subject') })],
  ['a trace of no record', 70, set({ subject: ASSET })],
  ['a link of no record', 64, set({ subject: ASSET })],
  ['an expiry of no record', 75, set({ subject: ASSET })],
  ['two events of one number', 38, set({ seq: 1 })],
  ['an event that leaves a number out', 38, set({ seq: 3 })],
  ['an event without a number', 71, set({ seq: 0 })],
  ['a first event with the number 2', 71, set({ seq: 2 })],
  ['a record with a number', 78, set({ seq: 1 })],
  ['a trace with a number', 70, set({ seq: 1 })],
  ['an asset with a number', 63, set({ seq: 1 })],
  ['a token with a number', 65, set({ seq: 1 })],
  ['a record about another', 78, about(77)],
  ['an access before its asset', 61, set({ type: 'evidence_accessed' })],
  ['an access to no asset', 56, set({ subject: ASSET })],
  ['an erasure of no asset', 59, set({ subject: ASSET })],
  ['an asset registered twice', 51, set({ type: 'evidence_registered' })],
  ['another workspace', 73, set({ subject: ASSET })],
  ['an asset with the id of a record', 39, about(8)],
  ['an asset with the id of the log', 39, about(0)],
  ['an asset with the id of the workspace', 39, (all) => ({ subject: of(all, 1, 'subject') })],
  ['a record with the id of an asset', 78, (all) => ({ id: of(all, 39, 'subject'), subject: of(all, 39, 'subject') })],
  [
    'a record with the id of the workspace',
    78,
    (all) => ({ id: of(all, 1, 'subject'), subject: of(all, 1, 'subject') }),
  ],
  ['settings that go back', 30, set({ seq: 2 })],
  ['settings that stand still', 30, set({ seq: 9 })],
  ['settings that leave a version out', 30, set({ seq: 11 })],
  ['settings that begin with the second', 1, set({ seq: 2 })],
  ['a policy without a version', 76, set({ seq: 0 })],
  ['a policy that begins with the second', 76, set({ seq: 2 })],
  ['keys without a version', 74, set({ seq: 0 })],
  ['epochs that begin with the second', 65, (all) => ({ type: 'epoch_opened', subject: of(all, 65, 'id'), seq: 2 })],
  ['an epoch about the workspace', 65, set({ type: 'epoch_opened', seq: 1 })],
  ['a member without a version', 2, set({ seq: 0 })],
];

const HONEST: readonly Fault[] = [
  ['nothing changed', 40, set({})],
  ['a microsecond after the leaf before', 40, (all) => ({ at: timeAfter(all[39], 1) })],
  ['an epoch', 65, (all) => ({ type: 'epoch_opened', subject: of(all, 65, 'id'), seq: 1 })],
  ['another member of the same version', 65, set({ type: 'member_changed', seq: 1 })],
];

/** What is said in the last tile, where the copy lacks the first, and whether that tile could explain it. */
const LATE: readonly (readonly [...Fault, outcome: string])[] = [
  ['nothing changed', 258, set({}), 'SKIP'],
  ['an event of a record that is not there', 258, set({ type: 'lifecycle_event', subject: ASSET, seq: 7 }), 'SKIP'],
  ['an access to an asset that is not there', 258, set({ type: 'evidence_accessed', subject: ASSET }), 'SKIP'],
  [
    'settings of a version that may be the next',
    258,
    set({ type: 'settings_changed', subject: ASSET, seq: 9 }),
    'SKIP',
  ],
  ['a time as far from a leaf of the tile as can be', 256, (all) => ({ at: timeAfter(all[6], 250) }), 'SKIP'],
  ['a time too near to the record, which the bundle shows', 256, (all) => ({ at: timeAfter(all[6], 249) }), 'FAIL'],
  ['the time of the leaf before', 258, (all) => ({ at: of(all, 257, 'at') }), 'FAIL'],
  ['a second genesis', 258, set({ type: 'genesis' }), 'FAIL'],
  ['a record about another', 258, about(257), 'FAIL'],
  ['a record with a number', 258, set({ seq: 1 }), 'FAIL'],
  [
    'a record after an event of it',
    258,
    (all) => ({ type: 'lifecycle_event', subject: of(all, 259, 'id'), seq: 1 }),
    'FAIL',
  ],
  ['a record after a link to it', 258, (all) => ({ type: 'evidence_linked', subject: of(all, 259, 'id') }), 'FAIL'],
  ['one record twice', 258, (all) => ({ id: of(all, 257, 'id'), subject: of(all, 257, 'id') }), 'FAIL'],
];

/** A copy of a world with more records at its end. */
function grow(world: World): World {
  const last = JSON.parse(world.entries.at(-1) ?? '{}') as LooseEntry;
  for (let n = world.entries.length; n < GROWN; n += 1) {
    const id = `01a20523-0000-7000-8000-${String(n).padStart(12, '0')}`;
    world.entries.push(
      canonicalize({ ...last, id, subject: id, at: `2024-11-23T00:00:00.${String(n).padStart(6, '0')}Z` }),
    );
  }
  return world;
}

function apply(world: World, [, leaf, change]: Fault): World {
  return reseal(world, {
    before: ({ entries }) => {
      const all = entries.map((entry) => JSON.parse(entry) as LooseEntry);
      entries[leaf] = canonicalize({ ...all[leaf], ...change(all) });
    },
  });
}

function without(world: World, tile: string): WholeCase['given'] {
  const { [tile]: _, ...log } = tilesOf(world.entries);
  return { ...give(world), log };
}

/** Logs with a leaf out of its place: with the log, without it, and with a copy that lacks a tile. */
export function listOrders(open: Open): readonly WholeCase[] {
  const small = open('plain');
  const grown = grow(open('plain'));
  const state = (id: string, given: WholeCase['given'], outcome: string): WholeCase => ({
    id: `order ${id}`,
    given,
    expected: { fails: outcome === 'FAIL' ? ['log_order'] : [], outcomes: { log_order: outcome } },
  });
  const ofFault = (fault: Fault, outcome: string): readonly WholeCase[] => {
    const [world, long] = [apply(small, fault), apply(grown, fault)];
    return [
      state(`with the log: ${fault[0]}`, give(world, true), outcome),
      state(`without the log: ${fault[0]}`, give(world), 'SKIP'),
      state(`without the last tile: ${fault[0]}`, without(long, LAST_TILE), outcome === 'PASS' ? 'SKIP' : outcome),
      state(`without the tile of it: ${fault[0]}`, without(long, FIRST_TILE), 'SKIP'),
    ];
  };
  return [
    ...FAULTS.flatMap((fault) => ofFault(fault, 'FAIL')),
    ...HONEST.flatMap((fault) => ofFault(fault, 'PASS')),
    ...LATE.map(([name, leaf, change, outcome]) =>
      state(`without the first tile: ${name}`, without(apply(grown, [name, leaf, change]), FIRST_TILE), outcome),
    ),
  ];
}
