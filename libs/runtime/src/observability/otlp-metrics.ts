import type { Clock, OtlpBacklog } from '@answer-evidence/ports';
import type { ItemCounts } from '@answer-evidence/stage-otlp';
import { Counter, Gauge, type Registry } from 'prom-client';

/** What the metrics are read from. */
export type OtlpMetricsParts = {
  readonly clock: Clock;
  readonly items: ItemCounts;
  readonly workspaceIds: () => Promise<readonly string[]>;
  readonly readBacklog: (workspaceId: string) => Promise<OtlpBacklog>;
};

/** However often somebody asks, the inbox is looked at no more often than this. */
const FRESH_MICROS = 5_000_000;

/**
 * Registers what has become of OTLP items in this process, and how full the inbox of all workspaces is. While the database is away the
 * inbox has no values.
 */
export function registerOtlpMetrics(registry: Registry, parts: OtlpMetricsParts): void {
  new Counter({
    name: 'otlp_items_total',
    help: 'Spans and log records that this process was sent: kept, refused, or no answers.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const outcome of ['accepted', 'rejected', 'ignored'] as const) this.inc({ outcome }, parts.items[outcome]);
    },
  });
  let backlog: Promise<OtlpBacklog | undefined> | undefined;
  let readAt = 0;
  function read(): Promise<OtlpBacklog | undefined> {
    const nowMicros = parts.clock.nowMicros();
    if (backlog === undefined || nowMicros - readAt > FRESH_MICROS) {
      readAt = nowMicros;
      backlog = readAll(parts).catch(() => undefined);
    }
    return backlog;
  }
  function gauge(name: string, help: string, valueOf: (all: OtlpBacklog) => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const current = await read();
        if (current === undefined) this.remove();
        else this.set(valueOf(current));
      },
    });
  }
  gauge('otlp_inbox_items', 'Items that were accepted and are not worked off.', ({ items }) => items);
  gauge('otlp_inbox_age_seconds', 'Age of the oldest of them; 0 when there is none.', ({ oldestReceivedAt: at }) =>
    at === undefined ? 0 : Math.max(0, (parts.clock.nowMicros() - at) / 1_000_000),
  );
  gauge('otlp_waiting_items', 'Traces that wait for the record of their key.', ({ waiting }) => waiting);
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
