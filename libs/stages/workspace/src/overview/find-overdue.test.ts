import { describe, expect, it } from '@jest/globals';
import { findOverdue } from './find-overdue.ts';

const of = (run: string, application: string, dueAt: number, findings: number) => ({
  ...{ run_id: run, application_key: application, due_at: dueAt, findings },
});

describe('what is overdue', () => {
  it('is one item per application, since the first of it was due', () => {
    const items = findOverdue([
      ...[of('run-1', 'shop', 2_000_000, 2), of('run-1', 'shop', 1_000_000, 1), of('run-2', 'desk', 3_000_000, 1)],
    ]);
    expect(items).toMatchObject([
      { application_key: 'shop', count: 3, since: '1970-01-01T00:00:01.000000Z', object_id: 'run-1' },
      { application_key: 'desk', count: 1, place: '/reconciliation/run-2', object_id: 'run-2' },
    ]);
    expect(items.map(({ sentence }) => sentence)).toEqual([
      '3 findings of shop are overdue',
      '1 finding of desk is overdue',
    ]);
  });

  it('leads to the list of runs where it is of several', () => {
    const items = findOverdue(['run-1', 'run-2', 'run-1'].map((run) => of(run, 'shop', 1_000_000, 1)));
    expect(items).toMatchObject([{ count: 3, object_id: null, place: '/reconciliation' }]);
  });
});
