import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { LedgerMetrics } from './ledger-metrics.ts';

describe('the metrics of batches', () => {
  it('tell the ways, the sizes, the lost bets and the waits for the lock', async () => {
    const metrics = new LedgerMetrics();
    const registry = new Registry();
    metrics.register(registry);
    metrics.note({ requests: 3, way: 'optimistic', isBetLost: false });
    metrics.note({ requests: 1, way: 'locked', isBetLost: true, lockMs: 40 });
    const text = await registry.metrics();
    for (const line of [
      'ledger_batches_total{way="optimistic"} 1',
      'ledger_batches_total{way="locked"} 1',
      'ledger_batch_requests_sum 4',
      'ledger_mispredictions_total 1',
      'ledger_head_lock_seconds_bucket{le="0.05"} 1',
      'ledger_head_lock_seconds_count 1',
    ])
      expect(text).toContain(`${line}\n`);
  });
});
