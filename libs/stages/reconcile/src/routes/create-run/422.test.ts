import { describe, expect, it } from '@jest/globals';
import { formatTimestamp } from '@answer-evidence/encoding';
import { createRefusingTest, requestOf, RUNS, SECOND } from '../../fixtures/reconcile.ts';

const test = createRefusingTest();
const now = test.clock.nowMicros();
const at = (seconds: number) => formatTimestamp(now + seconds * SECOND);
const reference = (more: object = {}) => ({ reference_id: 'one', occurred_at: at(0), ...more });

describe('POST /api/reconciliations/runs', () => {
  it.each([
    ['a window of more than seven days', { window_start: at(-700_000) }, '/window_end'],
    ['a reversed window', { window_start: at(3600), window_end: at(-3600) }, '/window_start'],
    ['an empty window', { window_start: at(-1), window_end: at(-1) }, '/window_end'],
    [
      'a window that starts in the future',
      { window_start: at(60), references: [reference({ occurred_at: at(61) })] },
      '/window_start',
    ],
    ['no references', { references: [] }, '/references'],
    ['more than 10,000 references', { references: Array.from({ length: 10_001 }, () => reference()) }, '/references'],
    [
      'a reference before the window',
      { references: [reference(), reference({ occurred_at: at(-3601) })] },
      '/references/1/occurred_at',
    ],
    ['a reference at the end of the window', { window_end: at(0) }, '/references/0/occurred_at'],
    ['an unknown match_on', { match_on: 'id' }, '/match_on'],
    ['a reference without an id', { references: [{ occurred_at: at(0) }] }, '/references/0/reference_id'],
    ['a hash of another form', { references: [reference({ answer_hash: 'sha256:ABC' })] }, '/references/0/answer_hash'],
    [
      'a time that does not exist',
      { references: [reference({ occurred_at: '2026-02-30T00:00:00Z' })] },
      '/references/0/occurred_at',
    ],
    ['a lateness of more than seven days', { max_lateness_seconds: 604_801 }, '/max_lateness_seconds'],
    ['an unknown member', { matchOn: 'idempotency_key' }, '/matchOn'],
  ])('refuses %s whole, and says where', async (_what, more, pointer) => {
    const body = { ...requestOf(test, ['one']), ...more };
    const reply = await test.call('POST', RUNS, { as: test.manager, body });
    expect(reply).toMatchObject({ status: 422, code: 'schema_violation' });
    expect(reply.errors?.[0]?.pointer).toBe(pointer);
  });

  it('names the first twenty references that lie outside of the window', async () => {
    const body = requestOf(test, [], {
      references: Array.from({ length: 30 }, () => reference({ occurred_at: at(-4000) })),
    });
    const reply = await test.call('POST', RUNS, { as: test.manager, body });
    expect(reply.errors?.map(({ pointer }) => pointer)).toEqual(
      Array.from({ length: 20 }, (_, n) => `/references/${n}/occurred_at`),
    );
  });

  it('takes a window of exactly seven days, and times with offsets', async () => {
    const body = requestOf(test, ['one'], { window_start: at(-600_000), window_end: at(4_800) });
    // Whatever is refused is refused before the store; this is not.
    await expect(test.call('POST', RUNS, { as: test.manager, body })).rejects.toThrow('reaches no store');
  });
});
