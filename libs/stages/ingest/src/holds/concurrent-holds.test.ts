import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { formatTimestamp } from '@answer-evidence/encoding';
import { createRouteCaller, DAY_MICROS, openPostgresWorkspace, type PostgresWorkspace } from '@answer-evidence/testing';
import { createRecord, RECORDS } from '../fixtures/ingest.ts';
import { createIngestStage } from '../index.ts';
import { expireTextsTicker } from '../tickers/expire-texts.ts';

const RECORDS_EACH = 6;

let workspace: PostgresWorkspace;
let runs = 0;
beforeAll(async () => {
  workspace = await openPostgresWorkspace();
});
afterAll(() => workspace.close());

/** What two processes do at once, each in this order. Numbers name one of the records. */
const act = fc.oneof(
  fc.record({ kind: fc.constantFrom('sweep' as const, 'hold all' as const, 'release' as const) }),
  fc.record({ kind: fc.constantFrom('redact' as const, 'hold one' as const), n: fc.nat({ max: RECORDS_EACH - 1 }) }),
);
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

it('nothing of the log was erased under a hold, however two processes place, sweep, redact and release at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 2, maxLength: 5 }),
      fc.array(act, { minLength: 2, maxLength: 5 }),
      async (ofOne, ofOther) => {
        const environment = `run-${++runs}`;
        const other = { ...workspace, ledger: workspace.otherLedger };
        const [one, two] = [workspace, other].map((process) => ({
          ...process,
          call: createRouteCaller(createIngestStage(process).routes),
        })) as [Process, Process];
        const until = formatTimestamp(workspace.clock.nowMicros() + DAY_MICROS);
        const ids: string[] = [];
        for (let n = 0; n < RECORDS_EACH; n++)
          ids.push((await createRecord(one, { environment, retention_until: until })).id);
        workspace.clock.advance(2 * DAY_MICROS);
        await Promise.all([take(one, ofOne, environment, ids), take(two, ofOther, environment, ids)]);
        expect(await workspace.checkLedger()).toMatchObject({ outcome: 'PASS', findings: [] });
        for (const { id } of (await workspace.holds.inForce(workspace.workspace.id)).holds) await release(one, id);
        await expireTextsTicker(one).run(new AbortController().signal);
        for (const id of ids)
          expect((await workspace.records.find(workspace.workspace.id, id))?.sealed).toBeUndefined();
      },
    ),
    { numRuns: 12 },
  );
});

type Process = PostgresWorkspace & { readonly call: ReturnType<typeof createRouteCaller> };

async function take(on: Process, acts: readonly Act[], environment: string, ids: readonly string[]): Promise<void> {
  const placed: string[] = [];
  const place = async (covered: object) => {
    const body = { matter: 'Case 7', reason: 'A claim', ...covered };
    const reply = await on.call('POST', '/api/holds', { as: on.manager, body });
    expect(reply).toMatchObject({ status: 201 });
    placed.push((reply.body as { id: string }).id);
  };
  for (const one of acts)
    switch (one.kind) {
      case 'sweep':
        await expireTextsTicker(on).run(new AbortController().signal);
        break;
      case 'hold all':
        await place({ filters: { environment } });
        break;
      case 'hold one':
        await place({ answer_log_ids: [ids[one.n]] });
        break;
      case 'release': {
        const id = placed.pop();
        if (id !== undefined) await release(on, id);
        break;
      }
      case 'redact': {
        const body = { event_type: 'redacted' };
        const reply = await on.call('POST', `${RECORDS}/${ids[one.n]}/events`, { as: on.manager, body });
        expect([200, 409]).toContain(reply.status);
      }
    }
}

async function release({ call, manager }: Process, id: string): Promise<void> {
  const reply = await call('POST', `/api/holds/${id}/release`, { as: manager, body: { reason: 'over' } });
  expect(reply).toMatchObject({ status: 200 });
}
