import { expect, it } from '@jest/globals';
import type { RecordSummary, UnattachedTrace } from '@answer-evidence/contracts';
import { countApplications } from './count-applications.ts';

const at = (minute: number) => `2026-11-20T09:${String(minute).padStart(2, '0')}:00.000000Z`;
const record = (application: string, ...minutes: readonly number[]) =>
  ({
    application_key: application,
    created_at: at(0),
    external_trace_id: null,
    trace_refs: minutes.map((minute) => ({ signal: 'span', attached_at: at(minute) })),
  }) as unknown as RecordSummary;
const ignored = (application: string, count: number, minute: number) => ({
  application_key: application,
  item_count: count,
  last_seen_at: at(minute),
});

it('says of each application what came of it, the one that sent last first', () => {
  const unattached = [{ application_key: 'b', signal: 'log', received_at: at(9) } as unknown as UnattachedTrace];
  const counts = countApplications(
    [record('a'), record('a', 1, 2), record('c'), { ...record('d'), external_trace_id: 'made from it' }],
    [ignored('a', 3, 4), ignored('a', 4, 3), ignored('', 1, 1)],
    unattached,
  );
  expect(counts).toEqual([
    { application: 'b', records: 0, traced: 0, signals: ['log'], ignored: 0, unattached: 1, lastAt: at(9) },
    { application: 'a', records: 2, traced: 1, signals: ['span'], ignored: 7, unattached: 0, lastAt: at(4) },
    { application: '', records: 0, traced: 0, signals: [], ignored: 1, unattached: 0, lastAt: at(1) },
    { application: 'd', records: 1, traced: 1, signals: [], ignored: 0, unattached: 0, lastAt: at(0) },
    { application: 'c', records: 1, traced: 0, signals: [], ignored: 0, unattached: 0, lastAt: null },
  ]);
});
