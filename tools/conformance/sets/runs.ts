import type { ReconciliationCore, RecordSetLine } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import type { Given } from '../../../conformance/run.mjs';
import { createSuiteKey, createWitness, type LooseEntry, tilesOf } from '../reseal.ts';
import { resealRun, type RunChange, type RunWorld } from '../reseal-run.ts';
import { ALL, type WholeCase } from './whole-case.ts';

const OTHER_ID = '01a20522-0000-7000-8000-000000000000';
const HASH = `sha256:${'0'.repeat(64)}`;
/** A leaf of the log that is a record of the set, and the place of its line. */
const OWN = 1;

/** A change of a run by its name, the checks that fail for it, and whether the verifier has the log. */
type RunCase = readonly [name: string, fails: readonly string[] | typeof ALL, change: RunChange, options?: Options];
type Options = { readonly run?: 1 | 2; readonly log?: boolean; readonly outcomes?: Readonly<Record<string, string>> };

const core = (change: (core: ReconciliationCore) => void): RunChange => ({ core: change });
const before = (change: (core: ReconciliationCore) => void): RunChange => ({
  before: ({ proof }) => change(proof.run.core),
});
const record = (change: (line: RecordSetLine) => void, n = OWN): RunChange => ({
  before: ({ records }) => change(lineOf(records, n)),
});
/** The same after the entry of the record follows from its core. */
const line = (change: (line: RecordSetLine, world: RunWorld) => void, n = OWN): RunChange => ({
  records: (world) => change(lineOf(world.records, n), world),
});
const recordAt = (at: string): RunChange => line((own, { entries }) => changeEntry(own, { at }, entries));

function lineOf(records: readonly RecordSetLine[], n: number): RecordSetLine {
  const found = records[n];
  if (found === undefined) throw new Error('the record set has no such line');
  return found;
}

function changeEntry(own: RecordSetLine, change: LooseEntry, entries: string[]): void {
  own.entry = canonicalize({ ...(JSON.parse(own.entry) as LooseEntry), ...change });
  entries[own.leaf_index] = own.entry;
}

/** A reference as one more line of the list. */
function addReference(reference: Readonly<Record<string, string | null>>): RunChange {
  return {
    before: ({ references, proof }) => {
      const occurred = proof.run.core.window_start;
      const plain = { answer_hash: null, question_hash: null, occurred_at: occurred, reference_id: 'more' };
      references.push(canonicalize({ ...plain, ...reference }));
    },
  };
}

const READ = ['records', 'record_leaves', 'earlier_runs', 'findings', 'counts'];
const WITH_LOG: Options = { log: true, outcomes: { record_leaves: 'PASS', log_order: 'PASS' } };

const CASES: readonly RunCase[] = [
  ['unchanged', [], {}, { outcomes: { earlier_runs: 'NA', record_leaves: 'SKIP', anchored: 'NA' } }],
  ['unchanged, with the log', [], {}, WITH_LOG],
  ['unchanged, with earlier runs', [], {}, { run: 2, outcomes: { earlier_runs: 'SKIP' } }],
  // The form of the core.
  ['requested on a day that does not exist', ALL, core((own) => (own.requested_at = '2026-02-30T00:00:00.000000Z'))],
  ['decided in the hour 24', ALL, core((own) => (own.decided_at = '2026-01-01T24:00:00.000000Z'))],
  ['a window that begins in the month 13', ALL, core((own) => (own.window_start = '2026-13-01T00:00:00.000000Z'))],
  ['a window that ends in a leap second', ALL, core((own) => (own.window_end = '2026-12-31T23:59:60.000000Z'))],
  ['a lateness below 0', ALL, core((own) => (own.max_lateness_seconds = -1))],
  ['matched by another member', ALL, core((own) => (own.match_on = 'mode' as 'idempotency_key'))],
  ['a lateness that is text', ALL, core((own) => (own.max_lateness_seconds = '1' as unknown as number))],
  // The references.
  ['one reference more', [], addReference({})],
  ['a reference of the beginning of the window', [], addReference({ reference_id: 'first' })],
  [
    'a reference of the end of the window',
    ['references'],
    { ...addReference({ occurred_at: '2024-11-22T22:22:01.425000Z' }) },
  ],
  ['a reference of before the window', ['references'], addReference({ occurred_at: '2024-11-22T20:22:01.424999Z' })],
  [
    'another root of references',
    ['references'],
    core((own) => (own.references = { ...own.references, root: '0'.repeat(64) })),
  ],
  ['another number of references', ['references'], core((own) => (own.references = { ...own.references, size: 9 }))],
  ['references in another order', [], { after: ({ references }) => references.reverse() }],
  ['a reference left out', ['references', 'findings', 'counts'], { after: ({ references }) => references.pop() }],
  ['a reference of 256 units', [], addReference({ reference_id: '😀'.repeat(128) })],
  // The record set.
  ['a record of another application', ['records'], record((own) => (own.core.application_key = 'other'))],
  ['a record of another environment', ['records'], record((own) => (own.core.environment = 'other'))],
  ['a record beyond the snapshot', ['records'], line((own) => (own.leaf_index = 99), 19)],
  ['two records in another order', ['records'], { records: ({ records }) => records.reverse() }],
  ['one record twice', ['records'], { records: ({ records }) => records.splice(OWN, 0, lineOf(records, OWN)) }],
  ['the entry of another core', ['records'], line((own, { entries }) => changeEntry(own, { hash: HASH }, entries))],
  ['the entry of another id', ['records'], line((own, { entries }) => changeEntry(own, { id: OTHER_ID }, entries))],
  [
    'the entry of another type',
    ['records'],
    line((own, { entries }) => changeEntry(own, { type: 'genesis' }, entries)),
  ],
  [
    'the entry of a record with a number',
    ['records'],
    line((own, { entries }) => changeEntry(own, { seq: 1 }, entries)),
  ],
  ['a record of before the window', ['records'], recordAt('2024-11-22T20:22:01.424999Z')],
  ['a record of the first moment of the window', [], recordAt('2024-11-22T20:22:01.425000Z')],
  ['a record of the end of the window, which nobody names', ['records'], recordAt('2024-11-22T22:22:01.425000Z')],
  [
    'a record of the lateness, which a reference names',
    [],
    {
      ...addReference({ reference_id: 'plain' }),
      ...recordAt('2024-11-22T22:27:01.424999Z'),
    },
  ],
  [
    'a record of after the lateness, which a reference names',
    ['records'],
    {
      ...addReference({ reference_id: 'plain' }),
      ...recordAt('2024-11-22T22:27:01.425000Z'),
    },
  ],
  ['a plain text that was opened', ['records'], record((own) => (own.question.opened = true))],
  ['a hash that equals a plain text', ['records'], record((own) => (own.question = { opened: true, equals: HASH }))],
  [
    'a keyed text that equals without being opened',
    ['records'],
    record((own) => (own.answer.equals = HASH), 11),
    { run: 2 },
  ],
  ['a keyed text that was opened and equals nothing', [], record((own) => (own.answer.opened = true), 11), { run: 2 }],
  ['another root of records', ['records'], core((own) => (own.records = { ...own.records, root: '0'.repeat(64) }))],
  ['a record left out', ['records', 'findings', 'counts'], { after: ({ records }) => records.pop() }],
  ['a line that has a member more', READ, { after: ({ records }) => Object.assign(lineOf(records, OWN), { x: 1 }) }],
  [
    'a line whose status is not one',
    READ,
    { after: ({ records }) => (lineOf(records, OWN).status = 'lost' as 'voided') },
  ],
  ['a line whose entry is not one', READ, { after: ({ records }) => (lineOf(records, OWN).entry = '{}') }],
  // Earlier runs.
  [
    'a record that is named, and by an earlier run too',
    ['earlier_runs'],
    record((own) => (own.named_earlier = OTHER_ID), 6),
  ],
  [
    'a record without a value that an earlier run is to name',
    ['earlier_runs'],
    record((own) => {
      own.named_earlier = OTHER_ID;
      own.core.idempotency_key = null;
    }),
  ],
  [
    'a record that an earlier run names',
    [],
    record((own) => (own.named_earlier = OTHER_ID)),
    { outcomes: { earlier_runs: 'SKIP' } },
  ],
  // The leaves of the records.
  [
    'a status without an event, with the log',
    ['record_leaves'],
    record((own) => (own.status = 'voided')),
    { log: true },
  ],
  ['a status without an event', [], record((own) => (own.status = 'voided'))],
  [
    'a record that is not at its leaf, with the log',
    ['record_leaves', 'records'],
    line((own) => (own.entry = canonicalize({ ...(JSON.parse(own.entry) as LooseEntry), hash: HASH }))),
    { log: true },
  ],
  ['no records', [], { before: ({ records }) => records.splice(0) }, { outcomes: { record_leaves: 'NA' } }],
  [
    'a quorum that is not met',
    [],
    { after: ({ trust }) => (trust.witness_policy = `witness a ${createWitness(1).vkey}\nquorum a\n`) },
    { outcomes: { witness_cosignatures: 'SKIP' } },
  ],
  // What the run states.
  ['other findings', ['findings'], core((own) => (own.findings = { ...own.findings, root: '0'.repeat(64) }))],
  ['another number of findings', ['findings'], core((own) => (own.findings = { ...own.findings, size: 2 }))],
  ['one count more', ['counts'], core((own) => (own.counts = { ...own.counts, matched: own.counts.matched + 1 }))],
  [
    'another window',
    ['records', 'findings', 'counts'],
    core((own) => (own.window_end = '2024-11-22T21:21:48.000000Z')),
  ],
  ['decided before the end', [], before((own) => (own.decided_at = '2024-11-22T21:00:00.000000Z'))],
  ['decided long after', [], before((own) => (own.decided_at = '2025-11-22T21:00:00.000000Z'))],
  ['the other provisional state', ['findings'], core((own) => (own.decided_at = '2025-11-22T21:00:00.000000Z'))],
  ['as much anchored as the snapshot', [], before((own) => (own.anchored_tree_size = own.snapshot.tree_size))],
  ['nothing anchored', [], before((own) => (own.anchored_tree_size = 0))],
  [
    'more anchored than the snapshot',
    ['checkpoint_consistency'],
    before((own) => (own.anchored_tree_size = own.snapshot.tree_size + 1)),
  ],
  // The note, the entry and the tree.
  [
    'a note of another run',
    ['statement'],
    { after: ({ proof }) => (proof.note = proof.note.replace('records 20', 'records 21')) },
  ],
  [
    'a note without a signature of the log',
    ['statement'],
    { after: ({ proof }) => (proof.note = proof.note.replace(/\n— .*\n$/, `\n— a AAAAAAA=\n`)) },
  ],
  ['an entry of another type', ['leaf_entry'], { entry: (own) => (own['type'] = 'export_made') }],
  ['an entry with a number', ['leaf_entry'], { entry: (own) => (own['seq'] = 1) }],
  ['an entry about another workspace', ['leaf_entry'], { entry: (own) => (own['subject'] = OTHER_ID) }],
  ['an entry with another id', ['leaf_entry'], { entry: (own) => (own['id'] = OTHER_ID) }],
  ['an entry of another core', ['leaf_entry'], { entry: (own) => (own['hash'] = HASH) }],
  ['another leaf hash stated', ['leaf_entry'], { after: ({ proof }) => (proof.run.leaf_hash = '0'.repeat(64)) }],
  ['another index stated', ['merkle_inclusion'], { after: ({ proof }) => (proof.run.leaf_index += 1) }],
  ['a snapshot that holds the run', ['checkpoint_consistency'], before((own) => (own.snapshot.tree_size = 73))],
  ['a proof of consistency that is cut', ['checkpoint_consistency'], { after: ({ proof }) => proof.consistency.pop() }],
  ['keys of the log twice', ['checkpoint_signature'], { after: ({ proof }) => doubled(proof.log_keys) }],
  ['keys of the trust file twice', [], { after: ({ trust }) => trust.logs.forEach(({ keys }) => doubled(keys)) }],
  [
    'a log that is not pinned',
    ['statement', 'checkpoint_signature'],
    { after: ({ trust }) => trust.logs.forEach((log) => (log.origin = 'other.example/a/00000000')) },
  ],
  [
    'another pinned key',
    ['statement', 'checkpoint_signature'],
    {
      after: ({ trust, proof }) =>
        trust.logs.forEach(({ keys }) => keys.forEach((key) => (key.vkey = createSuiteKey(proof.origin, 2).vkey))),
    },
  ],
];

function doubled(list: unknown[]): void {
  list.push(...list);
}

function giveRun({ proof, references, records, trust, entries }: RunWorld, withLog: boolean): Given {
  const lines = (all: readonly string[]) => all.map((text) => `${text}\n`).join('');
  return {
    kind: 'run',
    files: {
      proof: JSON.stringify(proof),
      references: lines(references),
      records: lines(records.map((own) => canonicalize(own))),
      trust: JSON.stringify(trust),
    },
    ...(withLog ? { log: tilesOf(entries) } : {}),
  };
}

/** The proofs of runs of which one meaning is changed, and everything decided, hashed and signed again. */
export function listRuns(open: (n: 1 | 2) => RunWorld): readonly WholeCase[] {
  return CASES.map(([name, fails, change, { run, log = false, outcomes } = {}]) => ({
    id: `run: ${name}`,
    given: giveRun(resealRun(open(run ?? 1), change), log),
    expected: { fails: fails === ALL ? [ALL] : fails, ...(outcomes === undefined ? {} : { outcomes }) },
  }));
}
