import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { actor } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import type { ReconciliationStore } from '@answer-evidence/ports';
import {
  compareReferences,
  decide,
  factsOfLine,
  formatFindingLine,
  parseRecordLine,
  type ReconciledRecord,
  type Reference,
} from '@answer-evidence/reconciliation';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import {
  createWorldWriter,
  keyedHash,
  plainHash,
  type StoredWorld,
  type World,
  type WorldRecord,
} from '../../fixtures/reconciliation-world.ts';
import { writeWorkspace } from '../session.ts';
import { decideRun } from './decide-run.ts';
import { createReconciliationStore } from './reconciliation-store.ts';

const MATCH_ON = 'external_message_id';
const SECOND = 1_000_000;
/** The window of every run, from the beginning of its world, and the lateness that is allowed. */
const WINDOW = { start: 10 * SECOND, end: 20 * SECOND };
const LATENESS_SECONDS = 4;

const noWait = () => Promise.resolve();

let log: TestLog;
let store: ReconciliationStore;
let write: (world: World) => Promise<StoredWorld>;

beforeAll(async () => {
  log = await openTestLog();
  store = createReconciliationStore({ ...log, onJobs: () => undefined, turn: noWait });
  write = await createWorldWriter(log, MATCH_ON);
});

afterAll(() => log.close());

// Ids whose order differs between bytes, UTF-16 and most collations, and one that JSON has to escape.
const id = fc.constantFrom('B', 'b', '\uffee', '\u{1f600}', 'with "quotes" and \\');
const text = fc.constantFrom('yes', 'no');
const edges = [
  WINDOW.start,
  WINDOW.end,
  WINDOW.end + LATENESS_SECONDS * SECOND,
  WINDOW.end - LATENESS_SECONDS * SECOND,
];
const edge = fc.constantFrom(...edges.flatMap((at) => [at - 1, at, at + 1]));

const record: fc.Arbitrary<WorldRecord> = fc.record({
  at: fc.oneof(edge, fc.integer({ min: 9 * SECOND, max: 25 * SECOND })),
  isOurs: mostly(true),
  isInEnvironment: mostly(true),
  matchValue: fc.option(id, { freq: 6 }),
  isKeyed: fc.boolean(),
  isStored: mostly(true),
  question: text,
  answer: text,
  events: fc.array(fc.constantFrom('correction_appended', 'voided', 'redacted', 'retention_extended'), {
    maxLength: 2,
  }),
});

const hash = fc.option(
  fc.tuple(fc.boolean(), text).map(([isKeyed, word]) => (isKeyed ? keyedHash(word) : plainHash(word))),
);
const reference = fc.record({
  referenceId: id,
  // On the edges and a whole lateness before the records that lie there.
  at: fc
    .oneof(
      edge,
      edge.map((at) => at - LATENESS_SECONDS * SECOND),
      fc.integer({ min: WINDOW.start, max: WINDOW.end }),
    )
    .filter((at) => WINDOW.start <= at && at < WINDOW.end),
  questionHash: hash,
  answerHash: hash,
});

const share = fc.double({ min: 0.4, max: 1, noNaN: true });
const scene = fc.record({
  records: fc.array(record, { minLength: 2, maxLength: 14, size: 'max' }),
  earlier: fc.array(
    fc.record({ ids: fc.uniqueArray(id, { maxLength: 3 }), isCompleted: mostly(true), sameField: mostly(true) }),
    { maxLength: 3 },
  ),
  references: fc.array(reference, { minLength: 1, maxLength: 6, size: 'max' }),
  /** How much of the world's leaves the run sees, and how much of those is anchored. */
  seen: fc.oneof(fc.constant(1), share),
  anchored: fc.option(fc.double({ min: 0, max: 0.6, noNaN: true })),
  decidedAt: fc.oneof(edge, fc.integer({ min: 0, max: 40 * SECOND })),
});

function mostly(value: boolean): fc.Arbitrary<boolean> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constant(!value) });
}

/** What opening shows of the texts of a record that references name, by the rules of the domain. */
function withOpened(record: ReconciledRecord, references: readonly Reference[]): ReconciledRecord {
  const standing = references.filter(({ referenceId }) => referenceId === record.matchValue).sort(compareReferences)[0];
  const isPlain = (hash: string | null) => hash?.startsWith('sha256:') === true;
  const open = (stored: ReconciledRecord['question'], referenced: string | null) => {
    const isComparedOpened = isPlain(referenced) && !isPlain(stored.hash);
    if (standing === undefined || !stored.opened || !isComparedOpened)
      return { hash: stored.hash, opened: false, equals: null };
    const equals = plainHash(stored.equals ?? '') === referenced ? referenced : null;
    return { hash: stored.hash, opened: true, equals };
  };
  return {
    ...record,
    question: open(record.question, standing?.questionHash ?? null),
    answer: open(record.answer, standing?.answerHash ?? null),
    namedEarlier: standing === undefined ? record.namedEarlier : null,
  };
}

describe('the decision of a run in SQL', () => {
  it('is that of the rules, for whatever was recorded and whatever is asked', async () => {
    const seenCounts = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(scene, async ({ records, earlier, references: asked, seen, anchored, decidedAt }) => {
        const world = await write({ records, earlier });
        const treeSize = world.firstLeaf + Math.round(world.leaves * seen);
        const rules = {
          windowStart: world.begin + WINDOW.start,
          windowEnd: world.begin + WINDOW.end,
          maxLatenessSeconds: LATENESS_SECONDS,
          decidedAt: world.begin + decidedAt,
          anchoredTreeSize: anchored === null ? null : world.firstLeaf + Math.round(world.leaves * anchored),
        };
        const references = asked.map(({ at, ...rest }): Reference => ({ ...rest, occurredAt: world.begin + at }));
        const expected = decide(
          rules,
          references,
          world.recordsBelow(treeSize).map((one) => withOpened(one, references)),
        );

        const runId = await createRun(world, rules, references);
        const start = { startedAt: rules.decidedAt, treeSize, anchoredSize: rules.anchoredTreeSize };
        await store.begin(log.workspace.id, runId, start);
        await store.decide(log.workspace.id, runId, log.newId());

        for (const [name, n] of Object.entries(expected.counts)) seenCounts.set(name, (seenCounts.get(name) ?? 0) + n);
        const stored = await store.find(log.workspace.id, runId);
        expect(stored?.state.counts_json).toBe(canonicalize(expected.counts));
        const found = await store.findings(log.workspace.id, runId, { from: 0, offset: 0, limit: 1_000 });
        expect(found.map(({ finding }) => formatFindingLine(finding))).toEqual(
          expected.findings.map(formatFindingLine),
        );
        expect(found.map(({ position }) => position)).toEqual(expected.findings.map((_, n) => n));
        // The column is the canonical form itself, which the ledger check goes by.
        const { rows } = await log.owner.query<{ detail_json: string }>(
          `select detail_json from answer_evidence.reconciliation_findings where run_id = $1 order by position`,
          [runId],
        );
        expect(rows.map((row) => row.detail_json)).toEqual(expected.findings.map(({ detail }) => canonicalize(detail)));
        expect(await recordsOf(runId)).toEqual(expected.records);
      }),
      { numRuns: 150 },
    );
    // Otherwise this would say nothing about what never came up.
    expect([...seenCounts].filter(([, n]) => n === 0)).toEqual([]);
  }, 120_000);
});

describe('what earlier runs have named', () => {
  it('is looked up once for a value, however many records and references have it', async () => {
    const many = 100;
    const same: WorldRecord = {
      ...{ at: WINDOW.start, isOurs: true, isInEnvironment: true, matchValue: 'same', events: [] },
      ...{ isKeyed: false, isStored: false, question: 'yes', answer: 'no' },
    };
    const ids = Array.from({ length: many }, () => 'same');
    const earlier = [{ ids, isCompleted: true, sameField: true }];
    const world = await write({ records: ids.map(() => same), earlier });
    const rules = { windowStart: world.begin + WINDOW.start, windowEnd: world.begin + WINDOW.end };
    const asked = { referenceId: 'other', occurredAt: rules.windowStart, questionHash: null, answerHash: null };
    const runId = await createRun(world, rules, [asked]);
    const treeSize = world.firstLeaf + world.leaves;
    const { id: workspaceId, vault } = log.workspace;
    const state = await store.begin(workspaceId, runId, { startedAt: rules.windowEnd, treeSize, anchoredSize: null });
    await writeWorkspace(log.pool, workspaceId, async (query) => {
      expect(await decideRun(query, workspaceId, vault, state, noWait)).toMatchObject({
        named_earlier: many,
        records: many,
      });
      const [read] = await query<{ rows: number }>(
        '',
        `select idx_tup_fetch + seq_tup_read as rows from pg_stat_xact_user_tables where relname = 'reconciliation_states'`,
        [],
      );
      // Runs of the worlds before may be read with them, once; pairs would be ten thousand.
      expect(read?.rows).toBeLessThan((many * many) / 4);
    });
  });
});

async function createRun(
  world: StoredWorld,
  rules: { readonly windowStart: number; readonly windowEnd: number },
  references: readonly Reference[],
): Promise<string> {
  const runId = log.newId();
  await store.create(
    log.workspace.id,
    {
      id: runId,
      application_key: world.application,
      environment: 'production',
      match_on: MATCH_ON,
      window_start: rules.windowStart,
      window_end: rules.windowEnd,
      max_lateness_seconds: LATENESS_SECONDS,
      reference_count: references.length,
      references_root: new Uint8Array(32),
      created_by_json: canonicalize(actor.parse({ kind: 'user', id: 'mia', token_id: null })),
      created_at: log.clock.nowMicros(),
      idempotency_key: null,
      fingerprint: new Uint8Array(32),
    },
    references.map(({ referenceId, occurredAt, questionHash, answerHash }) => ({
      reference_id: referenceId,
      occurred_at: occurredAt,
      question_hash: questionHash,
      answer_hash: answerHash,
    })),
  );
  return runId;
}

async function recordsOf(runId: string): Promise<readonly ReconciledRecord[]> {
  const records: ReconciledRecord[] = [];
  for await (const line of store.recordLines(log.workspace.id, runId))
    records.push(factsOfLine(parseRecordLine(line), MATCH_ON));
  return records;
}
