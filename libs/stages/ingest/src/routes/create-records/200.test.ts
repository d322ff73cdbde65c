import { beforeAll, describe, expect, it } from '@jest/globals';
import { type CreatedResult, createdResults, ServiceError } from '@answer-evidence/contracts';
import { createRouteCaller } from '@answer-evidence/testing';
import type { IngestDeps } from '../../deps.ts';
import { answer, type IngestTest, openIngest, readRecord, RECORDS } from '../../fixtures/ingest.ts';
import { createIngestStage } from '../../index.ts';

const keyed = (idempotency_key: string, more: object = {}) => answer({ idempotency_key, ...more });
const send = async ({ call, manager }: Pick<IngestTest, 'call' | 'manager'>, records: readonly object[]) =>
  call('POST', `${RECORDS}/batch`, { as: manager, body: { records } });
const record = async (stage: IngestTest, records: readonly object[]): Promise<readonly CreatedResult[]> => {
  const { status, body } = await send(stage, records);
  expect(status).toBe(200);
  return createdResults.parse(body).results;
};

describe('POST /api/answer-audit-logs/batch', () => {
  let stage: IngestTest;
  beforeAll(async () => {
    stage = await openIngest();
  });

  it('records each answer as a request of its own would, and says where it stands in the log', async () => {
    const results = await record(stage, [keyed('b-1'), keyed('b-2', { answer: { text: 'No.' } })]);
    for (const [n, text] of ['Because.', 'No.'].entries()) {
      const one = results[n];
      if (one?.outcome !== 'created') throw new Error('nothing was created');
      expect(await readRecord(stage, one.id)).toMatchObject({
        idempotency_key: `b-${n + 1}`,
        answer: { text },
        record_hash: one.record_hash,
        ledger: { leaf_index: one.leaf_index },
      });
    }
  });

  it('records a key once, within a request and over requests', async () => {
    const first = await record(stage, [keyed('c-1'), keyed('c-1')]);
    expect(first.map(({ outcome }) => outcome)).toEqual(['created', 'replayed']);
    const again = await record(stage, [keyed('c-1'), keyed('c-2')]);
    expect(again).toMatchObject([{ outcome: 'replayed', id: first[0]?.outcome === 'created' ? first[0].id : '' }, {}]);
    expect(again[1]?.outcome).toBe('created');
  });

  it('refuses only the answers that cannot be recorded, each with its own reason', async () => {
    await record(stage, [keyed('d-1')]);
    const results = await record(stage, [
      keyed('d-1', { answer: { text: 'Another.' } }),
      keyed('d-2', { answer: { text: 'a', hash: `sha256:${'0'.repeat(64)}` } }),
      keyed('d-3'),
    ]);
    expect(results).toMatchObject([
      { outcome: 'refused', code: 'idempotency_payload_mismatch' },
      { outcome: 'refused', errors: [{ pointer: '/answer/hash' }] },
      { outcome: 'created' },
    ]);
  });
});

describe('POST /api/answer-audit-logs/batch', () => {
  it.each([
    ['no record', []],
    ['a record without a key', [answer()]],
    ['a record without an answer', [keyed('e-1'), { ...keyed('e-2'), answer: undefined }]],
    ['more than 500 records', Array.from({ length: 501 }, (_, n) => keyed(`e-${n}`))],
  ])('records nothing of a request with %s', async (_, records) => {
    const stage = await openIngest();
    const before = (await stage.rows('ledger_leaves')).length;
    expect(await send(stage, records)).toMatchObject({ status: 422 });
    expect(await stage.rows('ledger_leaves')).toHaveLength(before);
  });

  it('fails as a whole when the ledger cannot decide about one of them, and a retry finds the others', async () => {
    const stage = await openIngest();
    let appends = 0;
    const ledger: IngestDeps['ledger'] = {
      append: (workspaceId, prepare) => {
        appends += 1;
        return appends === 2
          ? Promise.reject(new ServiceError('ledger_unavailable', 'not now', { remedy: 'retry' }))
          : stage.ledger.append(workspaceId, prepare);
      },
    };
    const call = createRouteCaller(createIngestStage({ ...stage, ledger }).routes);
    const records = [keyed('f-1'), keyed('f-2'), keyed('f-3')];
    expect(await send({ ...stage, call }, records)).toMatchObject({ status: 503, code: 'ledger_unavailable' });
    const again = createdResults.parse((await send({ ...stage, call }, records)).body).results;
    expect(again.map(({ outcome }) => outcome)).toEqual(['replayed', 'created', 'replayed']);
  });
});
