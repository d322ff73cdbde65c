import { expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import type { StreamBacklog } from '@answer-evidence/ports';
import { registerStreamMetrics } from './stream-metrics.ts';

async function read(backlogs: readonly StreamBacklog[] | Error): Promise<Readonly<Record<string, number>>> {
  const registry = new Registry();
  registerStreamMetrics(registry, {
    clock: { nowMicros: () => 1_000_000_000 },
    workspaceIds: () =>
      backlogs instanceof Error ? Promise.reject(backlogs) : Promise.resolve(backlogs.map((_, n) => String(n))),
    readBacklog: (id) =>
      Promise.resolve(
        (backlogs as readonly StreamBacklog[])[Number(id)] ?? { waiting: 0, oldestAt: undefined, failing: 0 },
      ),
  });
  const lines = (await registry.metrics()).split('\n').filter((line) => /^streams?_/.test(line));
  return Object.fromEntries(lines.map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]));
}

it('the gauges of streams add up all workspaces, and have no value while the database is unavailable', async () => {
  const behind = [
    { waiting: 5, oldestAt: 990_000_000, failing: 1 },
    { waiting: 7, oldestAt: 940_000_000, failing: 0 },
  ];
  expect(await read(behind)).toEqual({ stream_waiting_entries: 12, stream_lag_seconds: 60, streams_failing: 1 });
  expect(await read([])).toEqual({ stream_waiting_entries: 0, stream_lag_seconds: 0, streams_failing: 0 });
  expect(await read(new Error('away'))).toEqual({});
});
