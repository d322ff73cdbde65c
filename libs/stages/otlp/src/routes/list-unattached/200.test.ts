import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openOtlpTest, OTEL, type OtlpTest, span, traces } from '../../fixtures/otlp.ts';

let test: OtlpTest;
beforeAll(async () => {
  test = await openOtlpTest();
  const spans = Array.from({ length: 5 }, (_, n) => span(n + 1, { 'service.audit.idempotency_key': `key ${n}` }));
  await test.send(traces(spans));
  await test.send(traces([span(9, { 'service.audit.idempotency_key': 'of another' })], 'another-bot'), test.member);
  await test.workOff();
  test.clock.advance(901_000_000);
  await test.runWaiting();
});
afterAll(() => test.close());

const list = (query: Readonly<Record<string, string>>, as = test.manager) =>
  test.call('GET', `${OTEL}/unattached`, { as, query });

describe('the list of unattached traces', () => {
  it('goes on by page and by cursor, each trace once', async () => {
    const keys: string[] = [];
    let query: Readonly<Record<string, string>> = { size: '2' };
    for (let page = 1; ; page++) {
      const { status, body } = await list(query);
      const { items, next_cursor: next, total } = body as { items: any[]; next_cursor: string | null; total: number };
      expect([status, total]).toEqual([200, 6]);
      const numbered = (await list({ size: '2', page: String(page) })).body as { items: any[] };
      expect(numbered.items).toEqual(items);
      keys.push(...items.map((item) => item.idempotency_key as string));
      if (next === null) break;
      query = { size: '2', cursor: next };
    }
    expect(keys.toSorted()).toEqual([...Array.from({ length: 5 }, (_, n) => `key ${n}`), 'of another']);
  });

  it('is narrowed to the application of a token, and by each filter', async () => {
    expect((await test.unattached(test.application)).length).toBe(5);
    const counts = async (query: Readonly<Record<string, string>>) =>
      ((await list(query)).body as { total: number }).total;
    expect(await counts({ application_key: 'another-bot' })).toBe(1);
    expect(await counts({ idempotency_key: 'key 3' })).toBe(1);
    expect(await counts({ reason: 'record_not_found', environment: 'production' })).toBe(6);
    expect(await counts({ reason: 'given_up' })).toBe(0);
    expect(await counts({ trace_id: 'f'.repeat(32) })).toBe(0);
  });
});
