import { boundsOf, isAllowed, type UserCaller } from '@answer-evidence/access';
import {
  ATTENTION_NAMED_MAX,
  isWithin,
  type Overview,
  OVERVIEW_APPLICATIONS_MAX,
  OVERVIEW_DAYS_DEFAULT,
} from '@answer-evidence/contracts';
import { APPROVAL_RIGHTS, getOverview } from '@answer-evidence/contracts/operations';
import { formatTime, formatTimestamp } from '@answer-evidence/encoding';
import type { Clock, CountedAnswers, StoredOverview } from '@answer-evidence/ports';
import { authenticatedUser, defineRoute, narrowed, type Route } from '@answer-evidence/routes';
import { findApprovable } from '../../overview/approvable.ts';
import type { OverviewDeps } from '../../overview/deps.ts';
import { findAttention, type Sight } from '../../overview/find-attention.ts';
import { formatDay, planDays } from '../../overview/plan-days.ts';
import { reachOf } from '../../tokens/reach.ts';

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
      const [whole, attestations] = await Promise.all([
        deps.overview.read(workspaceId, {
          days: {
            ...days,
            applications: countedOf(query.application_key, caller),
            applicationsMax: OVERVIEW_APPLICATIONS_MAX,
          },
          nowMicros,
          namedMax: ATTENTION_NAMED_MAX,
        }),
        deps.readAttestations(workspaceId),
      ]);
      const bounded = withinBounds(whole, caller);
      const sight = sightOf(caller);
      const approvals = await findApprovable(deps, caller, bounded.approvals.filter(sight.decides));
      const stored = { ...bounded, approvals };
      const readsLog = isUnlimited(caller) && isAllowed(caller, 'entries.read');
      const isCounted = stored.counted !== undefined && stored.counted.treeSize >= stored.treeSize;
      const body: Overview = {
        now: formatTimestamp(nowMicros),
        attention: [...findAttention(stored, attestations, deps.clockGuard.judge(), nowMicros, sight)],
        log: {
          tree_size: stored.treeSize,
          published_size: attestations.publishedSize,
          published_at: formatTime(attestations.publishedAt),
          witnessed_size: attestations.witnessedSize,
          anchored_size: attestations.anchoredSize,
          exposed_entries: attestations.exposedEntries,
          exposed_since: formatTime(attestations.exposedSince),
        },
        erasure: {
          due: Math.min(stored.textsDue, TEXTS_DUE_MAX),
          due_relation: stored.textsDue > TEXTS_DUE_MAX ? 'gte' : 'eq',
        },
        counted: {
          // What is counted to its end is exact as of now, whenever that was.
          as_of: isCounted ? formatTimestamp(nowMicros) : formatTime(stored.counted?.at),
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

/** The applications whose answers are counted; null: all. Counts have no environment: a limit to some leaves none. */
function countedOf(asked: string | undefined, caller: UserCaller): readonly string[] | null {
  const { application_key: application, within } = narrowed({ application_key: asked }, caller);
  if ((boundsOf(caller)?.environments ?? null) !== null) return [];
  return application === undefined ? (within?.applications ?? null) : [application];
}

function isUnlimited(caller: UserCaller): boolean {
  return boundsOf(caller) === undefined;
}

/** What waits for somebody, as far as it belongs to what the caller is limited to; what has no application does not. */
function withinBounds(stored: StoredOverview, caller: UserCaller): StoredOverview {
  const bounds = boundsOf(caller);
  if (bounds === undefined) return stored;
  const none = { count: 0, oldestAt: undefined };
  const open = stored.open.filter((one) => isWithin(bounds, one));
  const overdue = stored.overdue.filter((one) => isWithin(bounds, one));
  const nothing = {
    deadLetters: none,
    refused: none,
    unattached: none,
    approvals: [],
    holds: none,
    links: [],
    textsDue: 0,
  };
  return { ...stored, ...nothing, open, overdue };
}

function sightOf(caller: UserCaller): Sight {
  const isManager = isAllowed(caller, 'settings.manage');
  return {
    trust: isAllowed(caller, 'trust.read'),
    triage: isAllowed(caller, 'triage.read'),
    jobs: isAllowed(caller, 'deadletters'),
    members: isAllowed(caller, 'members.read'),
    telemetry: isAllowed(caller, 'telemetry.read'),
    operation: isManager,
    streams: isAllowed(caller, 'streams'),
    holds: isAllowed(caller, 'holds.read'),
    decides: ({ act, requested_by: requester }) =>
      isAllowed(caller, 'approvals') && isAllowed(caller, APPROVAL_RIGHTS[act]) && requester !== caller.userId,
    tokensOf: reachOf(caller) ?? 'all',
  };
}

function toCountsResource({ day, readings, ...counts }: CountedAnswers, readsLog: boolean): Overview['counts'][number] {
  return { from: formatDay(day), ...counts, readings: readsLog ? readings : null };
}
