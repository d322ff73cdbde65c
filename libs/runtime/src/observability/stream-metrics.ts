import type { Registry } from 'prom-client';
import type { Clock, StreamBacklog } from '@answer-evidence/ports';
import { ageOf, createGauges } from './backlog-gauges.ts';

/** What the gauges are read from. */
type StreamMetricsDeps = {
  readonly clock: Clock;
  readonly workspaceIds: () => Promise<readonly string[]>;
  readonly readBacklog: (workspaceId: string) => Promise<StreamBacklog>;
};

/** However often somebody asks, the streams are looked at no more often than this. */
const FRESH_MICROS = 5_000_000;

/**
 * Registers how far streams of entries are behind their logs, those of all workspaces together. A stream that a manager
 * disabled is not counted. While the database is unavailable there are no values.
 */
export function registerStreamMetrics(registry: Registry, deps: StreamMetricsDeps): void {
  const gauge = createGauges(registry, deps.clock, FRESH_MICROS, () => readAll(deps));
  gauge('stream_waiting_entries', 'Entries that active streams have still to send.', ({ waiting }) => waiting);
  gauge('stream_lag_seconds', 'Age of the oldest of these entries; 0 without any.', ({ oldestAt: at }) =>
    ageOf(deps.clock, at),
  );
  gauge('streams_failing', 'Active streams whose last attempt failed.', ({ failing }) => failing);
}

async function readAll({ workspaceIds, readBacklog }: StreamMetricsDeps): Promise<StreamBacklog> {
  let [waiting, failing] = [0, 0];
  let oldestAt: number | undefined;
  // One after the other: a scrape takes no more than one connection from those who write.
  for (const workspaceId of await workspaceIds()) {
    const one = await readBacklog(workspaceId);
    waiting += one.waiting;
    failing += one.failing;
    if (one.oldestAt !== undefined) oldestAt = Math.min(oldestAt ?? one.oldestAt, one.oldestAt);
  }
  return { waiting, oldestAt, failing };
}
