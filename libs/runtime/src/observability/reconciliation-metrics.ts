import type { Registry } from 'prom-client';
import type { Clock, RunBacklog } from '@answer-evidence/ports';
import { ageOf, createGauges } from './backlog-gauges.ts';

/** What the gauges are read from. */
type ReconciliationMetricsDeps = {
  readonly clock: Clock;
  readonly workspaceIds: () => Promise<readonly string[]>;
  readonly readBacklog: (workspaceId: string) => Promise<RunBacklog>;
};

/** However often somebody asks, the runs are looked at no more often than this. */
const FRESH_MICROS = 5_000_000;

/**
 * Registers how many runs of reconciliation are under way, those of all workspaces together, and how long the oldest
 * has been. One that was given up is a dead letter, and is counted there. While the database is unavailable there are
 * no values.
 */
export function registerReconciliationMetrics(registry: Registry, deps: ReconciliationMetricsDeps): void {
  const gauge = createGauges(registry, deps.clock, FRESH_MICROS, () => readAll(deps));
  gauge('reconciliation_runs_open', 'Runs that are neither completed nor failed.', ({ runs }) => runs);
  gauge('reconciliation_oldest_open_seconds', 'Age of the oldest of these items; 0 without any.', ({ oldestAt: at }) =>
    ageOf(deps.clock, at),
  );
}

async function readAll({ workspaceIds, readBacklog }: ReconciliationMetricsDeps): Promise<RunBacklog> {
  let runs = 0;
  let oldestAt: number | undefined;
  // One after the other: a scrape takes no more than one connection from those who write.
  for (const workspaceId of await workspaceIds()) {
    const one = await readBacklog(workspaceId);
    runs += one.runs;
    if (one.oldestAt !== undefined) oldestAt = Math.min(oldestAt ?? one.oldestAt, one.oldestAt);
  }
  return { runs, oldestAt };
}
