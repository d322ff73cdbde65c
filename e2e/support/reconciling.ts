import { expect } from '@jest/globals';
import type { MatchField, ReconciliationFinding, ReconciliationRun } from '@answer-evidence/contracts';
import { formatTimestamp, parseTimestamp } from '@answer-evidence/encoding';
import { until } from '../../tools/scenery/service-process.ts';
import type { TestService } from '../../tools/scenery/test-service.ts';

/** Where records are, and runs. */
export const RECORDS = '/api/answer-audit-logs';
export const RUNS = '/api/reconciliations/runs';

/** A record as runs see it; `at` is when it was created, in microseconds. */
export type Recorded = { readonly id: string; readonly at: number };
/** A reference of a run; `at` is when it occurred, in microseconds. */
export type Listed = { readonly reference_id: string; readonly at: number; readonly answer_hash?: string };
/** What is asked of a run; times in microseconds. */
export type Asked = {
  readonly application: string;
  readonly window: readonly [start: number, end: number];
  readonly references: readonly Listed[];
  readonly lateness?: number;
  readonly matchOn?: MatchField;
  /** How times are written. */
  readonly write?: (micros: number) => string;
};

/** Creates records and has runs decided, by the service of the moment; each step must succeed. */
export function createReconciler(service: () => TestService) {
  async function expectOk(method: string, path: string, body?: object) {
    const reply = await service().call(method, path, body === undefined ? {} : { body });
    expect({ path, ok: reply.status < 300, text: reply.status < 300 ? '' : reply.text }).toMatchObject({ ok: true });
    return reply;
  }

  async function create(application: string, key: string, more: object = {}): Promise<Recorded> {
    const body = {
      application_key: application,
      idempotency_key: key,
      external_message_id: key,
      question: { text: 'How long?' },
      answer: { text: 'Two years.' },
      ...more,
    };
    const { id, created_at: createdAt } = (await expectOk('POST', RECORDS, body)).body;
    return { id, at: parseTimestamp(createdAt) };
  }

  /** A completed run with all that it found. */
  async function reconcile({ application, window, references, lateness, matchOn, write = formatTimestamp }: Asked) {
    const queued = await expectOk('POST', RUNS, {
      application_key: application,
      window_start: write(window[0]),
      window_end: write(window[1]),
      match_on: matchOn ?? 'idempotency_key',
      ...(lateness === undefined ? {} : { max_lateness_seconds: lateness }),
      references: references.map(({ at, ...reference }) => ({ ...reference, occurred_at: write(at) })),
    });
    const path = `${RUNS}/${queued.body.id}`;
    let run: ReconciliationRun = queued.body;
    await until('the run is completed', async () => {
      run = (await expectOk('GET', path)).body;
      return run.status === 'completed';
    });
    const lines = (await expectOk('GET', `${path}/findings?format=jsonl`)).text.split('\n').slice(0, -1);
    const findings = lines.map((line) => JSON.parse(line) as ReconciliationFinding);
    return { path, counts: run.counts, findings, found: findings.map(brief) };
  }

  return { expectOk, create, reconcile };
}

/** A finding as its type and the record or else the reference that it is about. */
function brief({ type, answer_log_id: record, reference_id: reference }: ReconciliationFinding) {
  return [type, record ?? reference] as const;
}
