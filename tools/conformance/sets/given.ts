import type { ProofBundle } from '@answer-evidence/contracts';
import { formatTlogProof } from '@answer-evidence/note';
import { type Change, createWitness, readEntry, reseal, setEntry, signCheckpoint, type World } from '../reseal.ts';
import { hashesOf, pathOf } from '../trees.ts';
import { giveFiles, type Open, type WholeCase } from './whole-case.ts';

/**
 * The record is leaf 48, `before` one is leaf 6 of the same log. Leaves are of 2024-11-22; a witness saw a smaller tree
 * while the log had no leaf 48.
 */
export const RECORD = 48;
const BEFORE = '2024-11-22T21:21:53.000000Z';
const BEFORE_SECONDS = Date.parse('2024-11-22T21:21:53Z') / 1000;
const LATER = BEFORE_SECONDS + 1e6;
const OF_LEAF_BEFORE = (entries: readonly string[]) => (JSON.parse(entries[RECORD - 1] ?? '') as { at: string }).at;
const [one, two, three] = [createWitness(1), createWitness(2), createWitness(3)];
const POLICY = `witness a ${one.vkey}\nwitness b ${two.vkey}\nwitness c ${three.vkey}\ngroup g 2 a b c\nquorum g\n`;
const QUORUM = 'witness a, witness b';

type Cosigned = NonNullable<Change['witnesses']>;
const AT_LATER: Cosigned = [
  [one, LATER],
  [two, LATER],
];
const AT_BEFORE: Cosigned = [
  [one, BEFORE_SECONDS - 1],
  [two, BEFORE_SECONDS],
];

type Row = {
  readonly id: string;
  /** What stands beside the record's bundle. */
  readonly files: (world: World, open: Open) => Readonly<Record<string, string>>;
  readonly change?: Change;
  /** Changes the trust file. */
  readonly trust?: (world: World) => World['trust'];
  readonly withLog?: boolean;
  readonly outcomes: Readonly<Record<string, string>> | ((world: World) => Readonly<Record<string, string>>);
};

const atSize = (size: number, by: Cosigned) => (world: World) => ({ earlier: signCheckpoint(world, by, size) });
/** The lower end of a window, and what comes of the comparison of the trees. */
export const bound = (after: string, consistency: string) => ({
  'bundle after': after,
  'bundle checkpoint_consistency': consistency,
});
const BY_QUORUM = bound(`${BEFORE}, ${QUORUM}`, 'PASS');

/** A tree of other leaves that the same key signed. */
function fork(world: World, size: number, by: Cosigned): string {
  const entries = world.entries.map((entry, n) => (n === 3 ? entry.replace(/"seq":0/, '"seq":9') : entry));
  return signCheckpoint({ ...world, entries }, by, size);
}

/** A bundle of another record of the same log, whose tree ends before the record. */
export function smallerBundle(world: World, open: Open, size: number, changes: Change = {}): ProofBundle {
  const other = open('plain');
  const cut: World = { ...other, entries: world.entries.slice(0, size) };
  return reseal(cut, changes).bundle;
}

const ROWS: readonly Row[] = [
  { id: 'a checkpoint of a quorum, without the log', files: atSize(RECORD, AT_BEFORE), outcomes: BY_QUORUM },
  {
    id: 'a checkpoint of a quorum, with the log',
    files: atSize(RECORD, AT_BEFORE),
    withLog: true,
    outcomes: BY_QUORUM,
  },
  { id: 'a much smaller tree', files: atSize(1, AT_BEFORE), outcomes: BY_QUORUM },
  {
    id: 'a tree that has the record',
    files: atSize(RECORD + 1, AT_BEFORE),
    outcomes: bound('none', 'PASS'),
  },
  {
    id: 'a tree that has the record, with the log: the leaf before it',
    files: atSize(RECORD + 1, AT_BEFORE),
    withLog: true,
    outcomes: ({ entries }) => bound(OF_LEAF_BEFORE(entries), 'PASS'),
  },
  {
    id: 'the log alone beside a receipt: the leaf before it',
    files: () => ({}),
    withLog: true,
    outcomes: ({ entries }) => ({ 'bundle after': OF_LEAF_BEFORE(entries), 'bundle log_order': 'PASS' }),
  },
  {
    id: 'a tree that was attested after the time of the record says nothing',
    files: atSize(RECORD, AT_LATER),
    outcomes: bound('none', 'PASS'),
  },
  {
    id: 'the same second as the record counts',
    change: {
      before: ({ bundle: { record }, entries }) =>
        setEntry(record, { ...readEntry(record), at: '2024-11-22T21:21:54.000000Z' }, entries),
    },
    files: (world) => ({
      earlier: signCheckpoint(
        world,
        [
          [one, BEFORE_SECONDS + 1],
          [two, BEFORE_SECONDS + 1],
        ],
        RECORD,
      ),
    }),
    outcomes: bound(`2024-11-22T21:21:54.000000Z, ${QUORUM}`, 'PASS'),
  },
  {
    id: 'fewer witnesses than the quorum',
    files: atSize(RECORD, [[one, BEFORE_SECONDS]]),
    outcomes: bound('none', 'SKIP'),
  },
  {
    id: 'fewer witnesses than the quorum, with the log',
    files: atSize(RECORD, [[one, BEFORE_SECONDS]]),
    withLog: true,
    outcomes: ({ entries }) => bound(OF_LEAF_BEFORE(entries), 'PASS'),
  },
  {
    id: 'a third witness later counts for nothing',
    files: (world) => ({ earlier: signCheckpoint(world, [...AT_BEFORE, [three, LATER]], RECORD) }),
    outcomes: BY_QUORUM,
  },
  {
    id: 'three witnesses of one time are all named',
    files: (world) => ({
      earlier: signCheckpoint(
        world,
        [one, two, three].map((witness) => [witness, BEFORE_SECONDS] as const),
        RECORD,
      ),
    }),
    outcomes: bound(`${BEFORE}, ${QUORUM}, witness c`, 'PASS'),
  },
  {
    id: 'of two trees the one that was attested last',
    files: (world) => ({
      earlier: signCheckpoint(world, AT_BEFORE, RECORD),
      first: signCheckpoint(
        world,
        AT_BEFORE.map(([witness]) => [witness, BEFORE_SECONDS - 100] as const),
        9,
      ),
    }),
    outcomes: BY_QUORUM,
  },
  {
    id: 'a smaller tree that was attested later bounds more',
    files: (world) => ({
      earlier: signCheckpoint(world, AT_BEFORE, 9),
      last: signCheckpoint(
        world,
        AT_BEFORE.map(([witness]) => [witness, BEFORE_SECONDS - 100] as const),
        RECORD,
      ),
    }),
    outcomes: BY_QUORUM,
  },
  {
    id: 'a wrong cosignature in the name of a witness',
    files: (world) => ({
      earlier: signCheckpoint(world, AT_BEFORE, RECORD).replace(
        /(.)(.{6})\n$/,
        (_, a, rest) => `${a === 'A' ? 'B' : 'A'}${rest}\n`,
      ),
    }),
    outcomes: { ...bound('none', 'SKIP'), 'earlier witness_cosignatures': 'FAIL' },
  },
  {
    id: 'a checkpoint that nobody pinned signed',
    files: (world) => ({ earlier: signCheckpoint(world, AT_BEFORE, RECORD).replace(/\n— evidence[^\n]*\n/, '\n') }),
    outcomes: { ...bound('none', 'NA'), 'earlier checkpoint_signature': 'FAIL' },
  },
  {
    id: 'a checkpoint of another log',
    files: (world) => ({
      earlier: signCheckpoint(
        { ...world, bundle: { ...world.bundle, origin: 'other.example/x/00000000' } },
        AT_BEFORE,
        RECORD,
      ),
    }),
    outcomes: { ...bound('none', 'NA'), 'earlier checkpoint_signature': 'FAIL' },
  },
  {
    id: 'a tree of another history, with the log',
    files: (world) => ({ earlier: fork(world, RECORD, AT_BEFORE) }),
    withLog: true,
    outcomes: bound('none', 'FAIL'),
  },
  {
    id: 'another tree of the same size',
    files: (world) => ({ earlier: fork(world, world.entries.length, AT_LATER) }),
    outcomes: bound('none', 'FAIL'),
  },
  {
    id: 'a tree of another history, without the log and a quorum',
    files: (world) => ({ earlier: fork(world, RECORD, []) }),
    outcomes: bound('none', 'SKIP'),
  },
  {
    id: 'a receipt of another record beside two bundles',
    files: (world, open) => ({
      other: JSON.stringify(reseal({ ...open('plain'), entries: [...world.entries] }, { witnesses: AT_LATER }).bundle),
      receipt: formatTlogProof({
        index: 6,
        hashes: pathOf(hashesOf(world.entries.slice(0, RECORD)), 6),
        checkpoint: signCheckpoint(world, AT_BEFORE, RECORD),
      }),
    }),
    outcomes: { ...BY_QUORUM, 'other after': 'none' },
  },
  {
    id: 'the bundle of an earlier record',
    files: (world, open) => ({ other: JSON.stringify(smallerBundle(world, open, 20, { witnesses: AT_BEFORE })) }),
    outcomes: { ...BY_QUORUM, 'other after': 'none', 'other checkpoint_consistency': 'NA' },
  },
  {
    id: 'a bundle that cannot be read',
    files: (world, open) => ({
      other: JSON.stringify(smallerBundle(world, open, 20, { witnesses: AT_BEFORE })).replace('"status"', '"stature"'),
    }),
    outcomes: bound('none', 'NA'),
  },
  {
    id: 'a leaf of another file that is younger than the record',
    files: (world, open) => ({
      other: JSON.stringify(
        smallerBundle(world, open, 20, {
          witnesses: AT_LATER,
          before: ({ bundle: { record }, entries }) =>
            setEntry(record, { ...readEntry(record), at: '2024-11-23T00:00:00.000000Z' }, entries),
        }),
      ),
    }),
    outcomes: {
      'bundle after': 'none',
      'bundle log_order': 'FAIL',
      'other log_order': 'FAIL',
      'bundle leaf_entry': 'PASS',
      'other leaf_entry': 'PASS',
    },
  },
  {
    id: 'two files that show two leaves at one place',
    files: (_, open) => ({
      other: JSON.stringify(
        reseal(open('bound'), {
          witnesses: AT_LATER,
          before: ({ bundle: { record }, entries }) =>
            setEntry(record, { ...readEntry(record), at: '2024-11-22T21:21:53.762329Z' }, entries),
        }).bundle,
      ),
    }),
    outcomes: {
      ...bound('none', 'FAIL'),
      'bundle log_order': 'FAIL',
      'other log_order': 'FAIL',
      'other checkpoint_consistency': 'FAIL',
    },
  },
];

/** Several files of one log: what each says of the others. */
export function listGiven(open: Open): readonly WholeCase[] {
  return ROWS.map(({ id, files, change, trust, withLog, outcomes }): WholeCase => {
    const world = reseal(open('bound'), { witnesses: AT_LATER, ...change });
    const pins = { ...world.trust, witness_policy: POLICY };
    const given = { bundle: JSON.stringify(world.bundle), ...files(world, open) };
    return {
      id: `given: ${id}`,
      given: giveFiles(
        { ...world, trust: trust === undefined ? pins : trust({ ...world, trust: pins }) },
        given,
        withLog,
      ),
      expected: { outcomes: typeof outcomes === 'function' ? outcomes(world) : outcomes },
    };
  });
}
