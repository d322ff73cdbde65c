import { type Caller, isAllowed } from '@answer-evidence/access';
import {
  ATTENTION_NAMED_MAX,
  type Overview,
  OVERVIEW_APPLICATIONS_MAX,
  OVERVIEW_DAYS_DEFAULT,
} from '@answer-evidence/contracts';
import { getOverview } from '@answer-evidence/contracts/operations';
import { formatTimestamp } from '@answer-evidence/encoding';
import type { Clock, CountedAnswers } from '@answer-evidence/ports';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { OverviewDeps } from '../../overview/deps.ts';
import { findAttention, type Sight } from '../../overview/find-attention.ts';
import { formatDay, planDays } from '../../overview/plan-days.ts';

const TEXTS_DUE_MAX = 10_000;

/** `GET /api/overview`: what needs somebody, and how many answers there were, from counts and newest rows alone. */
export function getOverviewRoute(deps: OverviewDeps & { readonly clock: Clock }): Route {
  return defineRoute({
    ...getOverview,
    async handle({ query, caller: sentBy }) {
      const caller = authenticatedUser(sentBy);
      const { workspaceId } = caller;
      const nowMicros = deps.clock.nowMicros();
      const days = planDays(query.days ?? OVERVIEW_DAYS_DEFAULT, nowMicros);
      const [stored, attestations] = await Promise.all([
        deps.overview.read(workspaceId, {
          days: { ...days, applicationKey: query.application_key, applicationsMax: OVERVIEW_APPLICATIONS_MAX },
          nowMicros,
          namedMax: ATTENTION_NAMED_MAX,
        }),
        deps.readAttestations(workspaceId),
      ]);
      const readsLog = isAllowed(caller, 'entries.read');
      const sight = sightOf(caller, caller.userId);
      const isCounted = stored.counted !== undefined && stored.counted.treeSize >= stored.treeSize;
      const body: Overview = {
        now: formatTimestamp(nowMicros),
        attention: [...findAttention(stored, attestations, deps.clockGuard.judge(), nowMicros, sight)],
        log: {
          tree_size: stored.treeSize,
          published_size: attestations.publishedSize,
          published_at: timeOf(attestations.publishedAt),
          witnessed_size: attestations.witnessedSize,
          anchored_size: attestations.anchoredSize,
          exposed_entries: attestations.exposedEntries,
          exposed_since: timeOf(attestations.exposedSince),
        },
        erasure: {
          due: Math.min(stored.textsDue, TEXTS_DUE_MAX),
          due_relation: stored.textsDue > TEXTS_DUE_MAX ? 'gte' : 'eq',
        },
        counted: {
          // What is counted to its end is exact as of now, whenever that was.
          as_of: isCounted ? formatTimestamp(nowMicros) : timeOf(stored.counted?.at),
          entries: stored.counted?.treeSize ?? 0,
        },
        unit: days.unit,
        from: formatDay(days.from),
        to: formatDay(days.to - 1),
        counts: stored.counts.map((counts) => toCountsResource(counts, readsLog)),
      };
      return { status: 200, body };
    },
  });
}

function sightOf(caller: Caller, userId: string): Sight {
  const isManager = isAllowed(caller, 'settings.manage');
  return {
    trust: isAllowed(caller, 'trust.read'),
    triage: isAllowed(caller, 'triage'),
    jobs: isAllowed(caller, 'deadletters'),
    members: isAllowed(caller, 'members.read'),
    telemetry: isAllowed(caller, 'records.read'),
    operation: isManager,
    tokensOf: isManager ? 'all' : { userId },
  };
}

function toCountsResource({ day, readings, ...counts }: CountedAnswers, readsLog: boolean): Overview['counts'][number] {
  return { from: formatDay(day), ...counts, readings: readsLog ? readings : null };
}

function timeOf(micros: number | undefined): string | null {
  return micros === undefined ? null : formatTimestamp(micros);
}
