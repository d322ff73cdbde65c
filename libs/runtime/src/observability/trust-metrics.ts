import type { Registry } from 'prom-client';
import type { Clock } from '@answer-evidence/ports';
import type { Exposure } from '@answer-evidence/stage-trust';
import { ageOf, createGauges } from './backlog-gauges.ts';

/** What the gauges are read from. */
export type TrustMetricsDeps = {
  readonly clock: Clock;
  readonly workspaceIds: () => Promise<Iterable<string>>;
  readonly readExposure: (workspaceId: string) => Promise<Exposure>;
};

/** All logs together. */
type Standing = {
  readonly unpublishedEntries: number;
  readonly oldestUnanchoredAt: number | undefined;
  /** Of each log that has an entry which no anchor has confirmed: since when. */
  readonly exposedSince: readonly number[];
  readonly anchorsFailing: number;
  readonly renewalsFailing: number;
  readonly authoritiesEndAt: number | undefined;
  readonly witnessesFailing: number;
  readonly unreadable: number;
};

/** What tells how exposed single logs are, without naming one: how many of them are for how long. */
const EXPOSURES = [
  ['5m', 300],
  ['1h', 3_600],
  ['1d', 86_400],
] as const;

/** However often somebody asks, the logs are read no more often than this. */
const FRESH_MICROS = 15_000_000;

/**
 * Registers how far what vouches for the logs is behind them. There is one value for all workspaces, the worst or the
 * sum, so that the number of series does not grow with them and none tells of one. While the database is unavailable
 * there are no values.
 */
export function registerTrustMetrics(registry: Registry, deps: TrustMetricsDeps): void {
  const gauge = createGauges(registry, deps.clock, FRESH_MICROS, () => readStanding(deps));
  gauge(
    'trust_unpublished_entries',
    'Entries not covered by a published checkpoint, for the log with the most of them.',
    ({ unpublishedEntries }) => unpublishedEntries,
  );
  gauge(
    'trust_anchor_lag_seconds',
    'Age of the oldest entry that the external anchors of its policy have not confirmed; 0 without any.',
    ({ oldestUnanchoredAt: at }) => ageOf(deps.clock, at),
  );
  for (const [name, seconds] of EXPOSURES)
    gauge(
      `trust_logs_exposed_${name}`,
      `Logs with an entry that no external anchor of their policy has confirmed for ${seconds} s.`,
      ({ exposedSince }) => exposedSince.filter((at) => ageOf(deps.clock, at) >= seconds).length,
    );
  gauge(
    'trust_anchors_failing',
    'Anchors of the newest rounds whose last attempt failed.',
    ({ anchorsFailing }) => anchorsFailing,
  );
  gauge(
    'trust_renewals_failing',
    'Logs of which a renewal of time-stamps is due whose last attempt failed.',
    ({ renewalsFailing }) => renewalsFailing,
  );
  gauge(
    'trust_authorities_end_seconds',
    'Time until the certificates of all authorities of a policy have ended, for the log where it is first; +Inf without.',
    ({ authoritiesEndAt: at }) => secondsUntil(deps.clock, at),
  );
  gauge(
    'trust_witnesses_failing',
    'Witnesses of policies that did not cosign at the last request.',
    ({ witnessesFailing }) => witnessesFailing,
  );
  gauge(
    'trust_logs_unreadable',
    'Logs whose state could not be read: their rows are damaged, or the database failed.',
    ({ unreadable }) => unreadable,
  );
}

async function readStanding({ workspaceIds, readExposure }: TrustMetricsDeps): Promise<Standing> {
  let all: Standing = {
    unpublishedEntries: 0,
    oldestUnanchoredAt: undefined,
    exposedSince: [],
    anchorsFailing: 0,
    renewalsFailing: 0,
    authoritiesEndAt: undefined,
    witnessesFailing: 0,
    unreadable: 0,
  };
  // One after the other: a scrape takes no more than one connection from those who write.
  for (const workspaceId of await workspaceIds()) {
    try {
      const one = await readExposure(workspaceId);
      all = {
        ...all,
        unpublishedEntries: Math.max(all.unpublishedEntries, one.unpublishedEntries),
        oldestUnanchoredAt: oldest(all.oldestUnanchoredAt, one.oldestUnanchoredAt),
        exposedSince: [...all.exposedSince, ...(one.oldestUnanchoredAt === undefined ? [] : [one.oldestUnanchoredAt])],
        anchorsFailing: all.anchorsFailing + one.anchorsFailing,
        renewalsFailing: all.renewalsFailing + (one.isRenewalFailing ? 1 : 0),
        authoritiesEndAt: oldest(all.authoritiesEndAt, one.authoritiesEndAt),
        witnessesFailing: all.witnessesFailing + one.witnessesFailing,
      };
    } catch {
      all = { ...all, unreadable: all.unreadable + 1 };
    }
  }
  return all;
}

function secondsUntil(clock: Clock, at: number | undefined): number {
  return at === undefined ? Number.POSITIVE_INFINITY : Math.max(0, (at - clock.nowMicros()) / 1_000_000);
}

function oldest(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
