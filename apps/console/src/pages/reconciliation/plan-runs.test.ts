import { expect, it } from '@jest/globals';
import type { ReconciliationRun } from '@answer-evidence/contracts';
import { planRuns } from './plan-runs.ts';

const run = (id: string, day: number, missing: number | null): ReconciliationRun =>
  ({
    id,
    application_key: 'support-bot',
    window_start: `2026-11-${String(day).padStart(2, '0')}T00:00:00.000000Z`,
    counts: missing === null ? null : { missing_service: missing, late_service: 1, unexpected_service: 2 },
  }) as ReconciliationRun;

it('has a bar for each completed run, by its window and not by when it was made', () => {
  expect(planRuns([run('c', 2, 5), run('b', 3, null), run('a', 1, 7)])).toEqual([
    { id: 'a', start: '2026-11-01T00:00:00.000000Z', application: 'support-bot', missing: 7, late: 1, unexpected: 2 },
    { id: 'c', start: '2026-11-02T00:00:00.000000Z', application: 'support-bot', missing: 5, late: 1, unexpected: 2 },
  ]);
});

it('leaves out the oldest of very many', () => {
  const many = Array.from({ length: 99 }, (_, n) => run(`${n}`, 1 + (n % 28), 0));
  expect(planRuns(many)).toHaveLength(60);
  expect(planRuns(many).map(({ id }) => Number(id))).not.toContain(98);
});
