import { describe, expect, it } from '@jest/globals';
import { FORECAST_COUNT_MAX, retentionForecast } from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';
import { HELD_FROM } from '@answer-evidence/lifecycle';
import { createFakeStage, createFakeWorkspace } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

/** A stage whose texts are due at these times, in microseconds. */
function stageWith(dueAt: readonly number[]) {
  const { expiring } = createFakeWorkspace();
  const texts = {
    ...expiring.texts,
    countDue: (_: string, from: number, before: number, limit: number) =>
      Promise.resolve(Math.min(limit, dueAt.filter((at) => at >= from && at < before).length)),
  };
  return createFakeStage((deps) => createWorkspaceStage({ ...deps, expiring: { ...expiring, texts } }));
}

async function forecast(dueAt: readonly number[]) {
  const { call, manager } = stageWith(dueAt);
  return retentionForecast.parse((await call('GET', '/api/tenant/retention-forecast', { as: manager })).body);
}

describe('GET /api/tenant/retention-forecast', () => {
  it('puts each text into the one span in which its time comes, without a gap between spans', async () => {
    const { now, spans: none } = await forecast([]);
    expect(none.every(({ texts }) => texts === 0)).toBe(true);
    expect(none[0]?.from).toBe(now);
    for (const [n, span] of none.entries()) if (n > 0) expect(span.from).toBe(none[n - 1]?.before);
    const starts = none.map(({ from }) => parseTimestamp(from));
    const dueAt = [starts[0], starts[1], starts[1], starts[12], HELD_FROM - 1, HELD_FROM + 3, 5].map(Number);
    const { overdue, on_hold: onHold, spans } = await forecast(dueAt);
    expect(overdue).toEqual({ texts: 1, relation: 'eq' });
    expect(onHold).toEqual({ texts: 1, relation: 'eq' });
    expect(spans.map(({ texts }) => texts)).toEqual([1, 2, ...Array(10).fill(0), 2]);
    expect(spans.at(-1)?.before).toBeNull();
  });

  it('counts to its limit, and says where there are more', async () => {
    const exact = await forecast(Array(FORECAST_COUNT_MAX).fill(1));
    expect(exact.overdue).toEqual({ texts: FORECAST_COUNT_MAX, relation: 'eq' });
    const more = await forecast(Array(FORECAST_COUNT_MAX + 1).fill(1));
    expect(more.overdue).toEqual({ texts: FORECAST_COUNT_MAX, relation: 'gte' });
  });
});
