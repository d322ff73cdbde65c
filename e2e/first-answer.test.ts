import { afterAll, describe, expect, it } from '@jest/globals';
import { answer, openTestService } from '../tools/scenery/test-service.ts';

const service = await openTestService();
afterAll(() => service.close());

describe('a first answer', () => {
  it('is recorded, read back, corrected, verified and found whole by the ledger check', async () => {
    const created = await service.call('POST', '/api/answer-audit-logs', { body: answer('a question') });
    expect(created.status).toBe(201);
    const path = `/api/answer-audit-logs/${created.body.id}`;
    const read = await service.call('GET', path);
    const { receipt: _first, ...whole } = created.body;
    const { receipt: _second, ...again } = read.body;
    expect(again).toEqual(whole);

    const corrected = await service.call('POST', `${path}/events`, {
      body: { event_type: 'correction_appended', payload: { corrected_answer_text: 'a better answer' } },
    });
    expect(corrected.status).toBe(200);
    expect(corrected.body.status).toBe('corrected');

    const verified = await service.call('GET', `${path}/ledger/verify`);
    const failed = verified.body.checks.filter((check: { outcome: string }) => check.outcome === 'FAIL');
    expect(failed).toEqual([]);
    const checked = await service.call('POST', '/api/trust/ledger-checks');
    expect(checked.body).toMatchObject({ outcome: 'PASS', findings: [] });
  });
});
