import { Counter, Histogram, type Registry } from 'prom-client';
import type { CommittedBatch } from '@answer-evidence/postgres';

const LOCK_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2];
const REQUEST_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Counts the batches with which this process writes to the logs, those of all workspaces together. */
export class LedgerMetrics {
  readonly #batches = new Counter({
    name: 'ledger_batches_total',
    help: 'Batches committed to logs: optimistic ones in one round trip, locked ones after the lock of the head, and those in turn, of what had come when the lock was given.',
    labelNames: ['way'] as const,
    registers: [],
  });
  readonly #requests = new Histogram({
    name: 'ledger_batch_requests',
    help: 'Requests per batch.',
    buckets: REQUEST_BUCKETS,
    registers: [],
  });
  readonly #mispredictions = new Counter({
    name: 'ledger_mispredictions_total',
    help: 'Batches that were sent optimistically and again, because another process had moved the head or used a key.',
    registers: [],
  });
  readonly #lock = new Histogram({
    name: 'ledger_head_lock_seconds',
    help: 'How long a batch that was not optimistic waited for the lock of the head, with the way there and back.',
    buckets: LOCK_BUCKETS,
    registers: [],
  });

  note({ requests, way, isBetLost, lockMs }: CommittedBatch): void {
    this.#batches.inc({ way });
    this.#requests.observe(requests);
    if (isBetLost) this.#mispredictions.inc();
    if (lockMs !== undefined) this.#lock.observe(lockMs / 1_000);
  }

  register(registry: Registry): void {
    for (const metric of [this.#batches, this.#requests, this.#mispredictions, this.#lock])
      registry.registerMetric(metric);
  }
}
