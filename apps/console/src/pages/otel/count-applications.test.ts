import { expect, it } from '@jest/globals';
import type { RecordSummary, UnattachedTrace } from '@answer-evidence/contracts';
import { countApplications } from './count-applications.ts';

const at = (minute: number) => `2026-11-20T09:${String(minute).padStart(2, '0')}:00.000000Z`;
const record = (application: string, ...minutes: readonly number[]) =>
  ({
    application_key: application,
    created_at: at(0),
    external_trace_id: null,
    idempotency_key: 'a key of the application',
    trace_refs: minutes.map((minute) => ({ signal: 'span', attached_at: at(minute) })),
  }) as unknown as RecordSummary;
const ignored = (application: string, count: number, minute: number) => ({
  application_key: application,
  item_count: count,
  last_seen_at: at(minute),
});

it('says of each application what came as telemetry, the one that sent last first', () => {
  const unattached = [{ application_key: 'b', signal: 'log', received_at: at(9) } as unknown as UnattachedTrace];
  const records = [
    record('a'),
    record('a', 1, 2),
    record('c'),
    { ...record('d'), idempotency_key: 'otlp:0af7651916cd43dd8448eb211c80319c:b7ad6b7169203331' },
    { ...record('d', 0), idempotency_key: 'otlp:0af7651916cd43dd8448eb211c80319c:b7ad6b7169203332' },
    { ...record('e'), external_trace_id: 'an id of its own' },
    { ...record('e'), idempotency_key: null },
  ];
  const counts = countApplications(records, [ignored('a', 3, 4), ignored('a', 4, 3), ignored('', 1, 1)], unattached);
  const nothing = { made: 0, attached: 0, named: 0, signals: [], ignored: 0, unattached: 0 };
  expect(counts).toEqual([
    { ...nothing, application: 'b', records: 0, signals: ['log'], unattached: 1, lastAt: at(9) },
    { ...nothing, application: 'a', records: 2, attached: 1, signals: ['span'], ignored: 7, lastAt: at(4) },
    { ...nothing, application: '', records: 0, ignored: 1, lastAt: at(1) },
    { ...nothing, application: 'd', records: 2, made: 2, signals: ['span'], lastAt: at(0) },
    { ...nothing, application: 'c', records: 1, lastAt: null },
    // Its sender names a trace: that says nothing of telemetry.
    { ...nothing, application: 'e', records: 2, named: 1, lastAt: null },
  ]);
});
