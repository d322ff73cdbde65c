import type { ReconciliationCore, ReconciliationProof } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import { type LooseEntry, tilesOf } from '../reseal.ts';
import { resealRun, type RunChange, type RunWorld } from '../reseal-run.ts';
import type { WholeCase } from './whole-case.ts';

/** Run 1 names records that run 2 then needs no longer; its leaf is 72, and the snapshot of run 2 has 73. */
const LEAF = 72;
const OTHER_ID = '01a20522-0000-7000-8000-000000000000';
const ID = /("reference_id":")/;
const HASH = `sha256:${'0'.repeat(64)}`;

type Row = {
  readonly id: string;
  /** How the earlier run is changed before it is signed. */
  readonly change?: RunChange;
  /** What is given of it, after both were signed. */
  readonly given?: (earlier: { proof: string; references: string[] }) => void;
  readonly log?: 'whole' | 'without the leaf' | 'with another leaf';
  readonly outcome: 'PASS' | 'FAIL' | 'SKIP';
};

const core = (change: (own: ReconciliationCore) => void): RunChange => ({ core: change });
const proof = (change: (own: ReconciliationProof) => void): RunChange => ({ after: (world) => change(world.proof) });

const ROWS: readonly Row[] = [
  { id: 'given', outcome: 'PASS' },
  { id: 'given, with the log', log: 'whole', outcome: 'PASS' },
  { id: 'given, with a log that lacks its leaf', log: 'without the leaf', outcome: 'SKIP' },
  { id: 'given, with a log that has another leaf there', log: 'with another leaf', outcome: 'FAIL' },
  { id: 'its list in another order', given: ({ references }) => references.reverse(), outcome: 'PASS' },
  { id: 'a reference left out of its list', given: ({ references }) => references.pop(), outcome: 'FAIL' },
  { id: 'its list without a reference', given: ({ references }) => references.splice(0), outcome: 'FAIL' },
  {
    id: 'its list with another reference',
    given: ({ references }) => (references[0] = (references[0] ?? '').replace('"reference_id":"', '"reference_id":"x')),
    outcome: 'FAIL',
  },
  {
    id: 'one that names none of the records',
    change: {
      before: ({ references }) => {
        references.splice(0, references.length, ...references.map((line) => line.replace(ID, '$1x')));
      },
    },
    outcome: 'FAIL',
  },
  { id: 'one with another id', change: core((own) => (own.run_id = OTHER_ID)), outcome: 'SKIP' },
  { id: 'one of another application', change: core((own) => (own.application_key = 'other')), outcome: 'FAIL' },
  { id: 'one of another environment', change: core((own) => (own.environment = 'other')), outcome: 'FAIL' },
  {
    id: 'one that matches on another value',
    change: core((own) => (own.match_on = 'conversation_id' as 'idempotency_key')),
    outcome: 'FAIL',
  },
  {
    id: 'one whose entry has another hash',
    change: { entry: (own: LooseEntry) => (own['hash'] = HASH) },
    outcome: 'FAIL',
  },
  { id: 'one with another leaf hash', change: proof((own) => (own.run.leaf_hash = '0'.repeat(64))), outcome: 'FAIL' },
  { id: 'one with another index', change: proof((own) => (own.run.leaf_index -= 1)), outcome: 'FAIL' },
  {
    id: 'one with an index that this run does not have',
    change: proof((own) => (own.run.leaf_index = 73)),
    outcome: 'FAIL',
  },
  { id: 'one with a note that is cut', change: proof((own) => (own.note = own.note.slice(0, -2))), outcome: 'FAIL' },
  {
    id: 'one with another statement',
    change: proof((own) => (own.note = own.note.replace('tree 72', 'tree 71'))),
    outcome: 'FAIL',
  },
  { id: 'one with another count', change: proof((own) => (own.run.core.counts.matched += 1)), outcome: 'FAIL' },
  { id: 'one of another log', change: proof((own) => (own.origin = 'other.example/a/00000000')), outcome: 'FAIL' },
  {
    id: 'one whose checkpoint nobody signed',
    change: proof((own) => (own.checkpoint = own.checkpoint.replace(/\n— .*\n$/, '\n'))),
    outcome: 'FAIL',
  },
  { id: 'one with other keys', change: proof((own) => own.log_keys.splice(0)), outcome: 'FAIL' },
  { id: 'one without a proof of consistency', change: proof((own) => own.consistency.splice(0)), outcome: 'PASS' },
  {
    id: 'one that has not its form',
    given: (own) => (own.proof = own.proof.replace('"note"', '"notes"')),
    outcome: 'FAIL',
  },
];

function give(row: Row, open: (n: 1 | 2) => RunWorld): WholeCase['given'] {
  const earlier = resealRun(open(1), row.change ?? {});
  const run = resealRun({ ...open(2), entries: [...earlier.entries] });
  const own = { proof: JSON.stringify(earlier.proof), references: [...earlier.references] };
  row.given?.(own);
  const lines = (all: readonly string[]) => all.map((text) => `${text}\n`).join('');
  return {
    kind: 'run',
    files: {
      proof: JSON.stringify(run.proof),
      references: lines(run.references),
      records: lines(run.records.map((line) => canonicalize(line))),
      trust: JSON.stringify(run.trust),
      earlier_proof: own.proof,
      earlier_references: lines(own.references),
    },
    ...(row.log === undefined ? {} : { log: tilesFor(row.log, run, earlier) }),
  };
}

function tilesFor(how: NonNullable<Row['log']>, run: RunWorld, earlier: RunWorld): Readonly<Record<string, string>> {
  const tiles = tilesOf(run.entries);
  if (how === 'whole') return tiles;
  if (how === 'without the leaf')
    return Object.fromEntries(Object.entries(tiles).filter(([path]) => !path.startsWith('tile/entries/')));
  // The log of run 2 went on from another leaf than the one that the earlier run shows.
  const other = earlier.entries.map((entry, n) => (n === LEAF ? (run.entries[LEAF - 1] ?? '') : entry));
  return tilesOf(other);
}

/** Runs that need an earlier one, which is given and may be wrong. */
export function listEarlierRuns(open: (n: 1 | 2) => RunWorld): readonly WholeCase[] {
  return ROWS.map((row) => ({
    id: `run: an earlier run, ${row.id}`,
    given: give(row, open),
    expected: { outcomes: { earlier_runs: row.outcome } },
  }));
}
