import { Counter, type Registry } from 'prom-client';
import { IGNORED_REASONS } from '@answer-evidence/contracts';
import type { Clock, OtlpBacklog } from '@answer-evidence/ports';
import { DECISION_REASONS, type DecisionReason, type ItemCounts } from '@answer-evidence/stage-otlp';
import { ageOf, createGauges } from './backlog-gauges.ts';

/** What the metrics are read from. */
type OtlpMetricsDeps = {
  readonly clock: Clock;
  readonly items: ItemCounts;
  readonly ignored: ReadonlyMap<string, number>;
  readonly traces: Readonly<Record<DecisionReason, number>>;
  readonly workspaceIds: () => Promise<readonly string[]>;
  readonly readBacklog: (workspaceId: string) => Promise<OtlpBacklog>;
};

/** However often somebody asks, the inbox is looked at no more often than this. */
const FRESH_MICROS = 5_000_000;

/** Registers counts of OTLP items of this process and the fill of all inboxes (no value without the database). */
export function registerOtlpMetrics(registry: Registry, deps: OtlpMetricsDeps): void {
  new Counter({
    name: 'otlp_items_total',
    help: 'Spans and log records received by this process: kept, refused, ignored, or held for the rest of their trace.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const outcome of ['accepted', 'rejected', 'ignored', 'held'] as const)
        this.inc({ outcome }, deps.items[outcome]);
    },
  });
  new Counter({
    name: 'otlp_dropped_attributes_total',
    help: 'Attributes of answers and their additions that were not stored.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(deps.items.droppedAttributes);
    },
  });
  new Counter({
    name: 'otlp_traces_decided_total',
    help: 'Traces with held items that this process decided, by the reason why it did so then.',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const reason of DECISION_REASONS) this.inc({ reason }, deps.traces[reason]);
    },
  });
  new Counter({
    name: 'otlp_ignored_items_total',
    help: 'Received items of traces that left no record, by the reason.',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const reason of IGNORED_REASONS) this.inc({ reason }, deps.ignored.get(reason) ?? 0);
    },
  });
  const gauge = createGauges(registry, deps.clock, FRESH_MICROS, () => readAll(deps));
  gauge('otlp_inbox_items', 'Accepted items that are not processed yet.', ({ items }) => items);
  gauge('otlp_inbox_age_seconds', 'Age of the oldest of these items; 0 without any.', ({ oldestReceivedAt: at }) =>
    ageOf(deps.clock, at),
  );
  gauge('otlp_waiting_items', 'Traces that wait for the record with their key.', ({ waiting }) => waiting);
  gauge('otlp_open_traces', 'Traces with items that are held for the rest of it.', ({ openTraces }) => openTraces);
  gauge('otlp_open_traces_age_seconds', 'Age of the oldest of these traces; 0 without any.', ({ oldestOpenedAt: at }) =>
    ageOf(deps.clock, at),
  );
}

async function readAll({ workspaceIds, readBacklog }: OtlpMetricsDeps): Promise<OtlpBacklog> {
  const all: OtlpBacklog[] = [];
  // One after the other: a scrape takes no more than one connection from those who write.
  for (const workspaceId of await workspaceIds()) all.push(await readBacklog(workspaceId));
  const sum = (of: (one: OtlpBacklog) => number) => all.reduce((total, one) => total + of(one), 0);
  const oldest = (of: (one: OtlpBacklog) => number | undefined) => {
    const times = all.map(of).filter((at) => at !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  };
  return {
    batches: sum(({ batches }) => batches),
    items: sum(({ items }) => items),
    waiting: sum(({ waiting }) => waiting),
    oldestReceivedAt: oldest(({ oldestReceivedAt }) => oldestReceivedAt),
    openTraces: sum(({ openTraces }) => openTraces),
    oldestOpenedAt: oldest(({ oldestOpenedAt }) => oldestOpenedAt),
  };
}
