import { Counter, type Registry } from 'prom-client';
import type { Clock, OtlpBacklog } from '@answer-evidence/ports';
import type { ItemCounts } from '@answer-evidence/stage-otlp';
import { ageOf, createGauges } from './backlog-gauges.ts';

/** What the metrics are read from. */
type OtlpMetricsParts = {
  readonly clock: Clock;
  readonly items: ItemCounts;
  readonly workspaceIds: () => Promise<readonly string[]>;
  readonly readBacklog: (workspaceId: string) => Promise<OtlpBacklog>;
};

/** However often somebody asks, the inbox is looked at no more often than this. */
const FRESH_MICROS = 5_000_000;

/** Registers counts of OTLP items of this process and the fill of all inboxes (no value without the database). */
export function registerOtlpMetrics(registry: Registry, parts: OtlpMetricsParts): void {
  new Counter({
    name: 'otlp_items_total',
    help: 'Spans and log records received by this process: kept, refused, or ignored.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const outcome of ['accepted', 'rejected', 'ignored'] as const) this.inc({ outcome }, parts.items[outcome]);
    },
  });
  new Counter({
    name: 'otlp_dropped_attributes_total',
    help: 'Attributes of answers and their additions that were not stored.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(parts.items.droppedAttributes);
    },
  });
  const gauge = createGauges(registry, parts.clock, FRESH_MICROS, () => readAll(parts));
  gauge('otlp_inbox_items', 'Accepted items that are not processed yet.', ({ items }) => items);
  gauge('otlp_inbox_age_seconds', 'Age of the oldest of these items; 0 without any.', ({ oldestReceivedAt: at }) =>
    ageOf(parts.clock, at),
  );
  gauge('otlp_waiting_items', 'Traces that wait for the record with their key.', ({ waiting }) => waiting);
}

async function readAll({ workspaceIds, readBacklog }: OtlpMetricsParts): Promise<OtlpBacklog> {
  let all: OtlpBacklog = { batches: 0, items: 0, oldestReceivedAt: undefined, waiting: 0 };
  // One after the other: a scrape takes no more than one connection from those who write.
  for (const workspaceId of await workspaceIds()) {
    const one = await readBacklog(workspaceId);
    all = {
      batches: all.batches + one.batches,
      items: all.items + one.items,
      waiting: all.waiting + one.waiting,
      oldestReceivedAt: Math.min(all.oldestReceivedAt ?? Infinity, one.oldestReceivedAt ?? Infinity),
    };
    if (all.oldestReceivedAt === Infinity) all = { ...all, oldestReceivedAt: undefined };
  }
  return all;
}
