import { ATTENTION_KINDS, ATTENTION_NAMED_MAX, type AttentionItem } from '@answer-evidence/contracts';
import { formatTime, formatTimestamp } from '@answer-evidence/encoding';
import type {
  Attestations,
  ClockJudgement,
  Ending,
  FailingStream,
  FailingVoucher,
  StoredOverview,
  TokenReach,
  Waiting,
  WaitingApproval,
} from '@answer-evidence/ports';
import { isReached } from '../tokens/reach.ts';
import { countOf, NOTHING } from './attention-item.ts';
import { findOverdue } from './find-overdue.ts';

/** What a caller may see, of which alone they are told. */
export type Sight = {
  readonly trust: boolean;
  readonly triage: boolean;
  readonly jobs: boolean;
  readonly members: boolean;
  readonly telemetry: boolean;
  /** The clock and the sweeps: what an operator solves. */
  readonly operation: boolean;
  readonly streams: boolean;
  readonly holds: boolean;
  /** Whether the caller may decide what somebody asks for. */
  readonly decides: (request: WaitingApproval) => boolean;
  /** Whose tokens: all, or those within reach. */
  readonly tokensOf: 'all' | TokenReach;
};

const SEVERITIES = ['high', 'medium', 'low'] as const;
const DAY_MICROS = 86_400_000_000;
const COUNT_MAX = 10_000;

/** Everything that needs somebody, as far as the caller may see it, the most pressing first. */
export function findAttention(
  stored: StoredOverview,
  attestations: Attestations,
  clock: ClockJudgement,
  nowMicros: number,
  sight: Sight,
): readonly AttentionItem[] {
  const items = [
    ...(sight.triage ? [...ofFindings(stored), ...named(findOverdue(stored.overdue), (item) => item)] : []),
    ...(sight.trust ? ofTrust(attestations, stored.treeSize) : []),
    ...(sight.operation ? ofOperation(stored, clock) : []),
    ...(sight.jobs ? waiting('jobs_given_up', 'medium', stored.deadLetters, givenUp, '/opentelemetry') : []),
    ...(sight.streams ? named(stored.streams, ofStream) : []),
    ...ofApprovals(stored.approvals.filter(sight.decides)),
    ...ofTokens(stored, nowMicros, sight),
    ...(sight.holds ? waiting('holds_in_force', 'low', stored.holds, inForce, '/holds') : []),
    ...(sight.members ? named(stored.links, (link) => ofLink(link)) : []),
    ...(sight.telemetry ? ofTelemetry(stored) : []),
  ];
  const rank = ({ severity, kind }: AttentionItem) =>
    SEVERITIES.indexOf(severity) * ATTENTION_KINDS.length + ATTENTION_KINDS.findIndex((known) => known === kind);
  return items.toSorted((a, b) => rank(a) - rank(b) || b.count - a.count);
}

function ofFindings({ open }: StoredOverview): readonly AttentionItem[] {
  const others = open.filter(({ unassigned }) => unassigned > 0);
  const unassigned = others.reduce((sum, one) => sum + one.unassigned, 0);
  return [
    ...open.flatMap((one): AttentionItem[] =>
      one.missing === 0
        ? []
        : [
            {
              ...NOTHING,
              kind: 'answers_missing',
              severity: 'high',
              count: one.missing,
              since: formatTime(one.oldest_missing_at),
              application_key: one.application_key,
              object_id: one.run_id,
              sentence: missingAnswers(one.missing, one.application_key),
              place: `/reconciliation/${one.run_id}`,
            },
          ],
    ),
    ...(unassigned === 0
      ? []
      : [
          {
            ...NOTHING,
            kind: 'findings_unassigned' as const,
            severity: 'low' as const,
            count: unassigned,
            object_id: others[0]?.run_id ?? null,
            sentence: `${countOf(unassigned, 'finding')} ${unassigned === 1 ? 'has' : 'have'} no owner`,
            place: `/reconciliation/${others[0]?.run_id ?? ''}`,
          },
        ]),
  ];
}

const FAILING = { anchor: 'anchor_failing', witness: 'witness_failing', renewal: 'renewal_failing' } as const;

function describeFailing({ kind, name, isRequired, until }: FailingVoucher): string {
  if (kind === 'renewal') {
    const end = until === undefined ? '' : `; the first of their certificates ends at ${formatTimestamp(until)}`;
    return `time-stamps are not renewed: the last attempt of ${name} failed${end}`;
  }
  return [`the ${kind} ${name} does not vouch for the log`, ...(isRequired ? ['the policy requires it'] : [])].join(
    ', and ',
  );
}

function ofTrust({ failing, witnessedSize, anchoredSize }: Attestations, treeSize: number): readonly AttentionItem[] {
  const items = failing.map((one): AttentionItem => ({
    ...NOTHING,
    kind: FAILING[one.kind],
    severity: one.isRequired ? 'high' : 'medium',
    count: one.attempts,
    since: formatTime(one.since),
    until: formatTime(one.until),
    name: one.name,
    sentence: describeFailing(one),
    place: '/trust',
  }));
  if (witnessedSize !== null || anchoredSize !== null) return items;
  return [
    ...items,
    {
      ...NOTHING,
      kind: 'nobody_vouches',
      severity: 'medium',
      count: Math.min(treeSize, COUNT_MAX),
      sentence: 'nobody outside vouches for this log: its policy names no witness and no outside anchor',
      place: '/trust',
    },
  ];
}

function ofOperation({ counted }: StoredOverview, clock: ClockJudgement): readonly AttentionItem[] {
  const holds = (counted?.holds ?? []).map(({ what, due }): AttentionItem => ({
    ...NOTHING,
    kind: 'sweep_held',
    severity: 'high',
    count: due,
    name: what,
    sentence: `the sweep of ${what} holds back ${due} that are due; look at the clock and the retention, and confirm it`,
    place: '/settings',
  }));
  if (clock.state === 'plausible') return holds;
  const minutes = Math.ceil(clock.byMicros / 60_000_000);
  return [
    ...holds,
    {
      ...NOTHING,
      kind: 'clock_not_believed',
      severity: 'high',
      count: minutes,
      name: clock.state,
      sentence: `the clock of the server is ${clock.state} by ${minutes} minutes, and is not believed`,
      place: '/settings',
    },
  ];
}

function ofTokens({ tokens }: StoredOverview, nowMicros: number, { tokensOf }: Sight): readonly AttentionItem[] {
  const own = tokens.filter((token) => tokensOf === 'all' || isReached(tokensOf, token));
  return named(own, (token) => ({
    ...NOTHING,
    kind: 'token_ends',
    severity: token.last_used_at !== null && nowMicros - token.last_used_at < DAY_MICROS ? 'medium' : 'low',
    count: 1,
    since: formatTime(token.last_used_at),
    until: formatTime(token.ends_at),
    application_key: token.application_key,
    name: token.name,
    object_id: token.id,
    sentence: `the token ${token.name} ends at ${formatTimestamp(token.ends_at)}`,
    place: '/tokens',
  }));
}

function ofStream({ id, name, failing_since: since, waiting: entries }: FailingStream): AttentionItem {
  return {
    ...NOTHING,
    kind: 'stream_failing',
    severity: 'medium',
    count: Math.min(entries, COUNT_MAX),
    since: formatTime(since),
    name,
    object_id: id,
    sentence: `the stream ${name} fails, and ${entries === 1 ? '1 entry waits' : `${entries} entries wait`} for it`,
    place: '/streams',
  };
}

/** One for all, until the first of them expires. */
function ofApprovals(requests: readonly WaitingApproval[]): readonly AttentionItem[] {
  if (requests.length === 0) return [];
  const waits = requests.length === 1 ? 'request waits' : 'requests wait';
  return [
    {
      ...NOTHING,
      kind: 'approvals_waiting',
      severity: 'medium',
      count: requests.length,
      since: formatTime(Math.min(...requests.map(({ requested_at: at }) => at))),
      until: formatTime(Math.min(...requests.map(({ expires_at: at }) => at))),
      sentence: `${requests.length} ${waits} for your approval`,
      place: '/approvals',
    },
  ];
}

function ofLink(link: Ending): AttentionItem {
  return {
    ...NOTHING,
    kind: 'sign_in_link_ends',
    severity: 'low',
    count: 1,
    until: formatTime(link.ends_at),
    name: link.name,
    object_id: link.id,
    sentence: `the link with which ${link.name} sets a password ends at ${formatTimestamp(link.ends_at)}`,
    place: '/members',
  };
}

function ofTelemetry({ refused, unattached }: StoredOverview): readonly AttentionItem[] {
  return [
    ...waiting('telemetry_refused', 'medium', refused, refusedItems, '/opentelemetry'),
    ...waiting('telemetry_unattached', 'low', unattached, unattachedItems, '/opentelemetry'),
  ];
}

const givenUp = (jobs: string) => `${jobs} failed permanently; replay each once its cause is gone`;
const refusedItems = (items: string) => `${items} of telemetry refused in the last seven days`;
const unattachedItems = (items: string) => `${items} of telemetry belong to no record`;

const inForce = (holds: string) => `${holds} in force; release each once its matter has ended`;

const COUNTED: Readonly<Partial<Record<AttentionItem['kind'], string>>> = {
  jobs_given_up: 'job',
  holds_in_force: 'hold',
};

function waiting(
  kind: 'jobs_given_up' | 'telemetry_refused' | 'telemetry_unattached' | 'holds_in_force',
  severity: AttentionItem['severity'],
  { count, oldestAt }: Waiting,
  sentenceOf: (items: string) => string,
  place: string,
): readonly AttentionItem[] {
  if (count === 0) return [];
  const sentence = sentenceOf(countOf(count, COUNTED[kind] ?? 'item'));
  return [{ ...NOTHING, kind, severity, count, since: formatTime(oldestAt), sentence, place }];
}

function named<Item>(items: readonly Item[], toItem: (item: Item) => AttentionItem): readonly AttentionItem[] {
  return items.slice(0, ATTENTION_NAMED_MAX).map(toItem);
}

function missingAnswers(count: number, application: string): string {
  return `${countOf(count, 'answer')} of ${application} ${count === 1 ? 'is' : 'are'} on a list and not recorded`;
}
