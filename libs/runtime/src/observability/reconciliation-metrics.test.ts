import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import type { RunBacklog } from '@answer-evidence/ports';
import { registerReconciliationMetrics } from './reconciliation-metrics.ts';

const NOTHING: RunBacklog = { runs: 0, oldestAt: undefined };

function open(backlogs: Readonly<Record<string, RunBacklog>> | Error) {
  const registry = new Registry();
  let nowMicros = 1_000_000_000;
  let reads = 0;
  registerReconciliationMetrics(registry, {
    clock: { nowMicros: () => nowMicros },
    workspaceIds() {
      reads += 1;
      return backlogs instanceof Error ? Promise.reject(backlogs) : Promise.resolve(Object.keys(backlogs));
    },
    readBacklog: (id) => Promise.resolve(backlogs instanceof Error ? NOTHING : (backlogs[id] ?? NOTHING)),
  });
  return {
    advance: (seconds: number) => void (nowMicros += seconds * 1_000_000),
    reads: () => reads,
    async read(): Promise<Readonly<Record<string, number>>> {
      const lines = (await registry.metrics()).split('\n').filter((line) => /^reconciliation_/.test(line));
      return Object.fromEntries(lines.map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]));
    },
  };
}

describe('the gauges of reconciliation', () => {
  it('add the runs of all workspaces up and show the oldest, which ages between two reads', async () => {
    const { advance, read, reads } = open({
      one: { runs: 2, oldestAt: 990_000_000 },
      two: NOTHING,
      three: { runs: 1, oldestAt: 940_000_000 },
    });
    expect(await read()).toEqual({ reconciliation_runs_open: 3, reconciliation_oldest_open_seconds: 60 });
    advance(5);
    expect(await read()).toMatchObject({ reconciliation_oldest_open_seconds: 65 });
    expect(reads()).toBe(1);
    advance(1);
    await read();
    expect(reads()).toBe(2);
  });

  it('are read again when the clock was set back, and not only when it has caught up', async () => {
    const { advance, read, reads } = open({ one: NOTHING });
    await read();
    advance(-3_600);
    await read();
    expect(reads()).toBe(2);
  });

  it('are 0 where nothing is under way, and have no value while the database is unavailable', async () => {
    expect(await open({ one: NOTHING }).read()).toEqual({
      reconciliation_runs_open: 0,
      reconciliation_oldest_open_seconds: 0,
    });
    expect(await open(new Error('away')).read()).toEqual({});
  });
});
