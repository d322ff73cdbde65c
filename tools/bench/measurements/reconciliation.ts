import { createHash } from 'node:crypto';
import { parseHex, utf8 } from '@answer-evidence/encoding';
import { systemClock, systemRandom } from '@answer-evidence/node-crypto';
import { newId, type StageDeps } from '@answer-evidence/ports';
import { formatReferenceSet, lineSetOf } from '@answer-evidence/reconciliation';
import { createReconcileStage } from '@answer-evidence/stage-reconcile';
import type { RunRow } from '@answer-evidence/tables';
import { storeRecordsSql } from '../../../libs/adapters/postgres/src/reconciliation/decision-sql.ts';
import type { Bench } from '../bench.ts';
import { createFigure, medianOf, type Result } from '../figures.ts';
import { APPLICATION, createdAt, openScratch, type Scratch } from '../reconciliation/open-scratch.ts';

const SIZES = [10_000, 100_000, 1_000_000] as const;
const REFERENCES = 10_000;
/** One reference in so many names no record, and its record is named by nobody. */
const LOST_EVERY = 100;
const TARGET_MS = 2_000;

/**
 * Measurement 7: a run of 10,000 references over a window of 10,000 records, from the list to findings, record set,
 * counts and roots, among more and more records. The one entry that completes it is left out: it costs what a create
 * costs.
 */
export async function measureReconciliation(bench: Bench): Promise<Result> {
  const scratch = await openScratch(bench.service.databaseUrl);
  try {
    const rounds = new Map<number, readonly number[]>();
    for (const size of SIZES) {
      bench.progress(`${size} records by SQL`);
      const treeSize = await scratch.fillTo(size);
      const taken: number[] = [];
      for (let round = 1; round <= bench.options.rounds; round++) taken.push(await runOnce(scratch, size, treeSize));
      rounds.set(size, taken);
      bench.progress(`${REFERENCES} references against ${size} records: ${Math.round(medianOf(taken))} ms`);
    }
    bench.progress(await explain(scratch));
    const [first, , last] = SIZES;
    const measured = createFigure(`among ${last}`, 'ms', rounds.get(last) ?? []);
    const against = createFigure(`among ${first}`, 'ms', rounds.get(first) ?? []);
    return {
      number: 7,
      work: `reconciliation of ${REFERENCES} references`,
      measured,
      against,
      ratio: measured.median / against.median,
      target: `< ${TARGET_MS} ms`,
      holds: measured.median < TARGET_MS,
    };
  } finally {
    await scratch.close();
  }
}

async function runOnce(scratch: Scratch, records: number, treeSize: number): Promise<number> {
  const start = performance.now();
  const { workspace, store } = scratch;
  const deps = { clock: systemClock, random: systemRandom };
  const references = Array.from({ length: REFERENCES }, (_, i) => {
    const n = records - REFERENCES + i;
    return {
      referenceId: n % LOST_EVERY === 0 ? `lost-${n}` : `message-${n}`,
      occurredAt: createdAt(n),
      questionHash: `sha256:${createHash('sha256').update(`question ${n}`).digest('hex')}`,
      answerHash: null,
    };
  });
  const run: Omit<RunRow, 'mac'> = {
    id: newId(deps),
    application_key: APPLICATION,
    environment: 'production',
    match_on: 'external_message_id',
    window_start: createdAt(records - REFERENCES),
    window_end: createdAt(records),
    max_lateness_seconds: 300,
    reference_count: REFERENCES,
    references_root: parseHex(lineSetOf(formatReferenceSet(references)).root),
    created_by_json: '{"id":"mia","kind":"user","token_id":null}',
    created_at: systemClock.nowMicros(),
    idempotency_key: null,
    fingerprint: utf8('bench'),
  };
  await store.create(
    workspace.id,
    run,
    references.map(({ referenceId, occurredAt, questionHash, answerHash }) => ({
      reference_id: referenceId,
      occurred_at: occurredAt,
      question_hash: questionHash,
      answer_hash: answerHash,
    })),
  );
  const unused = () => Promise.reject(new Error('the bench does without'));
  const [consumer] = createReconcileStage({
    ...({} as StageDeps),
    ...deps,
    reconciliations: store,
    turn: () => Promise.resolve(),
    directory: { get: () => Promise.resolve(workspace), findBySlug: unused, list: unused },
    checkpoints: { choose: unused, anchoredSize: () => Promise.resolve(0) },
    logs: {
      snapshot: () => Promise.resolve({ head: { tree_size: treeSize }, nodes: nodesOfZeros }),
      findLeaf: () => Promise.resolve(undefined),
    } as never,
    ledger: { append: (_workspaceId: string, prepare: () => unknown) => Promise.resolve(prepare()) } as never,
  }).consumers;
  const job = { id: 'bench', topic: 'reconcile.run', workspace_id: workspace.id, subject: run.id } as const;
  await consumer?.run(job, new AbortController().signal);
  const elapsed = performance.now() - start;
  await assertDecided(scratch, run.id);
  return elapsed;
}

const nodesOfZeros = (nodes: readonly unknown[]) => Promise.resolve(nodes.map(() => new Uint8Array(32)));

/** A run that found something else was measured for nothing. */
async function assertDecided({ store, workspace }: Scratch, runId: string): Promise<void> {
  const counts = (await store.find(workspace.id, runId))?.state.counts_json ?? 'none';
  const lost = REFERENCES / LOST_EVERY;
  for (const part of [`"matched":${REFERENCES - lost}`, `"missing_service":${lost}`, `"unexpected_service":${lost}`])
    if (!counts.includes(part)) throw new Error(`the run came to ${counts}`);
}

/** How PostgreSQL finds the record set of the last run. */
async function explain({ owner, workspace }: Scratch): Promise<string> {
  const { rows: runs } = await owner.query<{ id: string; tree_size: string }>(
    `select run_id as id, tree_size from answer_evidence.reconciliation_states order by run_id desc limit 1`,
  );
  const [run] = runs;
  const size = Number(run?.tree_size);
  await owner.query('begin');
  try {
    await owner.query(`set local enable_nestloop = off; set local jit = off; set local role answer_evidence_app`);
    await owner.query(`select set_config('answer_evidence.workspace_id', $1, true)`, [workspace.id]);
    const none: readonly never[] = [];
    const { rows } = await owner.query<{ 'QUERY PLAN': string }>(
      `explain (costs off) ${storeRecordsSql('external_message_id')}`,
      [
        workspace.id,
        run?.id,
        size - REFERENCES,
        size,
        size,
        size,
        APPLICATION,
        'production',
        'external_message_id',
        none,
        none,
        none,
        none,
        none,
      ],
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await owner.query('rollback');
  }
}
