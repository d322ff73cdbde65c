import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { registerTrustMetrics, type TrustMetricsDeps } from './trust-metrics.ts';

const NOTHING = {
  unpublishedEntries: 0,
  oldestUnanchoredAt: undefined,
  anchorsFailing: 0,
  isRenewalFailing: false,
  authoritiesEndAt: undefined,
  witnessesFailing: 0,
};

function open(deps: Partial<TrustMetricsDeps>) {
  const registry = new Registry();
  let nowMicros = 1_000_000_000;
  registerTrustMetrics(registry, {
    clock: { nowMicros: () => nowMicros },
    workspaceIds: () => Promise.resolve(['one', 'two', 'three']),
    readExposure: () => Promise.resolve(NOTHING),
    ...deps,
  });
  return {
    advance: (seconds: number) => void (nowMicros += seconds * 1_000_000),
    async read(): Promise<Readonly<Record<string, number>>> {
      const lines = (await registry.metrics()).split('\n').filter((line) => /^trust_/.test(line));
      return Object.fromEntries(lines.map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]));
    },
  };
}

describe('the gauges of what vouches for logs', () => {
  it('show the worst log or the sum of all, and how many could not be read', async () => {
    const { read } = open({
      readExposure: (id) => {
        if (id === 'three') return Promise.reject(new Error('damaged'));
        const isOne = id === 'one';
        return Promise.resolve({
          unpublishedEntries: isOne ? 7 : 3,
          oldestUnanchoredAt: isOne ? 990_000_000 : 690_000_000,
          anchorsFailing: 1,
          isRenewalFailing: isOne,
          authoritiesEndAt: isOne ? 3_000_000_000 : 1_500_000_000,
          witnessesFailing: 2,
        });
      },
    });
    expect(await read()).toEqual({
      trust_unpublished_entries: 7,
      trust_anchor_lag_seconds: 310,
      trust_logs_exposed_5m: 1,
      trust_logs_exposed_1h: 0,
      trust_logs_exposed_1d: 0,
      trust_anchors_failing: 2,
      trust_renewals_failing: 1,
      trust_authorities_end_seconds: 500,
      trust_witnesses_failing: 4,
      trust_logs_unreadable: 1,
    });
  });

  it('say that no certificate ends where no policy has an authority', async () => {
    const registry = new Registry();
    registerTrustMetrics(registry, {
      clock: { nowMicros: () => 0 },
      workspaceIds: () => Promise.resolve(['one']),
      readExposure: () => Promise.resolve(NOTHING),
    });
    expect(await registry.metrics()).toContain('\ntrust_authorities_end_seconds +Inf\n');
  });

  it('are read once in 15 seconds, while the lag goes on growing', async () => {
    let reads = 0;
    const { advance, read } = open({
      workspaceIds: () => {
        reads += 1;
        return Promise.resolve(['one']);
      },
      readExposure: () => Promise.resolve({ ...NOTHING, oldestUnanchoredAt: 1_000_000_000 }),
    });
    expect(await read()).toMatchObject({ trust_anchor_lag_seconds: 0 });
    advance(10);
    expect(await read()).toMatchObject({ trust_anchor_lag_seconds: 10 });
    expect(reads).toBe(1);
    advance(6);
    await read();
    expect(reads).toBe(2);
  });

  it('have no value while the database is unavailable', async () => {
    const { read } = open({ workspaceIds: () => Promise.reject(new Error('away')) });
    expect(await read()).toEqual({});
  });
});
