import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reconciliationFindingList, reconciliationProof } from '@answer-evidence/contracts';
import { lineSetOf } from '@answer-evidence/reconciliation';
import {
  completeRun,
  createRecord,
  openReconcileTest,
  readStream,
  type ReconcileTest,
  requestOf,
  RUNS,
} from '../../fixtures/reconcile.ts';

let test: ReconcileTest;
let path: string;

beforeAll(async () => {
  test = await openReconcileTest();
  await createRecord(test, { idempotency_key: 'unexpected' });
  const ids = ['=cmd()', 'b', 'a', 'c', 'a'];
  path = `${RUNS}/${(await completeRun(test, requestOf(test, ids))).id}`;
});

afterAll(() => test.close());

const get = (query: Record<string, string>) => test.call('GET', `${path}/findings`, { as: test.reconciler, query });
const page = async (query: Record<string, string>) => reconciliationFindingList.parse((await get(query)).body);

describe('GET /api/reconciliations/runs/{run_id}/findings', () => {
  it('lists findings in their order, by pages and by cursor alike, and of one type', async () => {
    const all = await page({});
    expect(all.items.map((one) => [one.type, one.reference_id])).toEqual([
      ['missing_service', '=cmd()'],
      ['missing_service', 'a'],
      ['missing_service', 'b'],
      ['missing_service', 'c'],
      ['unexpected_service', null],
      ['duplicate_reference', 'a'],
    ]);
    const first = await page({ size: '4' });
    const rest = await page({ size: '4', cursor: first.next_cursor ?? '' });
    expect([...first.items, ...rest.items]).toEqual(all.items);
    expect((await page({ size: '4', page: '2' })).items).toEqual(rest.items);
    expect(await page({ type: 'missing_service', size: '3' })).toMatchObject({ total: 4, items: { length: 3 } });
    const second = await page({
      type: 'missing_service',
      size: '3',
      cursor: (await page({ type: 'missing_service', size: '3' })).next_cursor ?? '',
    });
    expect(second.items).toEqual(all.items.slice(3, 4));
  });

  it('exports all as JSON lines, of which the root of the proof is made', async () => {
    const reply = await get({ format: 'jsonl' });
    expect(reply.contentType).toBe('application/jsonl; charset=utf-8');
    const lines = (await readStream(reply)).split('\n').slice(0, -1);
    const proof = await test.call('GET', `${path}/proof`, { as: test.reconciler });
    expect(lineSetOf(lines)).toEqual(reconciliationProof.parse(proof.body).run.core.findings);
  });

  it('exports all as CSV, without a cell that a spreadsheet would run', async () => {
    const lines = (await readStream(await get({ format: 'csv', type: 'missing_service' }))).split('\r\n');
    expect(lines).toHaveLength(6);
    expect(lines[0]).toBe(
      'type,reference_id,answer_log_id,reason,occurred_at,created_at,record_status,provisional,detail',
    );
    expect(lines[1]).toMatch(/^missing_service,'=cmd\(\),,no_record,2026-[^,]+,,,true,"\{""occurred_at"":/);
  });
});
