import { type IgnoredReason, RULE_REASONS } from '@answer-evidence/contracts';
import type { IgnoredOfRequest } from '@answer-evidence/otlp-mapping';
import { newId, type Ticker } from '@answer-evidence/ports';
import type { OtlpIgnoredRow } from '@answer-evidence/tables';
import type { OtlpDeps } from '../deps.ts';

/** Most kinds of items that are remembered until they are written; further ones are not counted. */
const REMEMBERED_MAX = 5_000;
/** Of as many kinds of items that are held, the names of attributes are remembered. */
const NAMES_REMEMBERED_MAX = 1_000;
const WRITE_INTERVAL_MS = 2_000;
const FORGOTTEN_AFTER_MICROS = 30 * 24 * 3_600 * 1_000_000;

/** Counts what is ignored in memory, and writes it now and then: no request waits for that or fails by it. */
export type IgnoredTally = {
  note(request: IgnoredRequest): void;
  readonly ticker: Ticker;
};

/** A request of which items were ignored. */
type IgnoredRequest = {
  readonly workspaceId: string;
  /** The application of its token: items of another one are not its to count. */
  readonly bound: string | undefined;
  readonly ignored: IgnoredOfRequest;
  /** Traces of which something is or may become a record; their other items are not ignored. */
  readonly answered: ReadonlySet<string | null>;
};

type Counted = { readonly workspaceId: string; readonly row: OtlpIgnoredRow };

/** A tally over the store. What could not be written is kept for the next time. */
export function createIgnoredTally(deps: Pick<OtlpDeps, 'otlp' | 'clock' | 'random' | 'onIgnored'>): IgnoredTally {
  let remembered = new Map<string, Counted>();
  /** Names of the attributes of items that are held, which are not kept with them; the oldest are forgotten. */
  const names = new Map<string, readonly string[]>();

  function nameOf(workspaceId: string, application: string, scope: string, reason: IgnoredReason): string {
    return JSON.stringify([workspaceId, application, scope, reason]);
  }

  function rememberNames(name: string, attributeNames: readonly string[]): void {
    names.delete(name);
    names.set(name, attributeNames);
    const [oldest] = names.keys();
    if (names.size > NAMES_REMEMBERED_MAX && oldest !== undefined) names.delete(oldest);
  }

  function add(workspaceId: string, row: OtlpIgnoredRow): void {
    const name = nameOf(workspaceId, row.application_key, row.scope_name, row.reason);
    const before = remembered.get(name)?.row;
    if (before === undefined && remembered.size >= REMEMBERED_MAX) return;
    const [older, newer] =
      before === undefined || before.last_seen_at <= row.last_seen_at ? [before, row] : [row, before];
    const sum = row.item_count + (before?.item_count ?? 0);
    const firstSeenAt = (older ?? newer).first_seen_at;
    remembered.set(name, { workspaceId, row: { ...newer, first_seen_at: firstSeenAt, item_count: sum } });
  }

  return {
    note({ workspaceId, bound, ignored: { kinds, items }, answered }) {
      const now = deps.clock.nowMicros();
      const isLeft = ({ traceId }: (typeof items)[number]) => traceId === null || !answered.has(traceId);
      const left = Map.groupBy(items.filter(isLeft), ({ kind }) => kind);
      for (const [number, { applicationKey, scopeName, reason, attributeNames }] of kinds.entries()) {
        const of = left.get(number) ?? [];
        if (of.length > 0) deps.onIgnored?.(reason, of.length);
        if (bound !== undefined && applicationKey !== '' && applicationKey !== bound) continue;
        const name = nameOf(workspaceId, bound ?? applicationKey, scopeName, reason);
        if (of.length === 0) {
          if (attributeNames.length > 0) rememberNames(name, attributeNames);
          continue;
        }
        const last = of.at(-1);
        add(workspaceId, {
          id: newId(deps),
          application_key: bound ?? applicationKey,
          scope_name: scopeName,
          reason,
          item_count: of.length,
          first_seen_at: now,
          last_seen_at: now,
          trace_id: last?.traceId ?? '',
          span_id: last?.spanId ?? '',
          attribute_names: JSON.stringify(attributeNames.length > 0 ? attributeNames : (names.get(name) ?? [])),
        });
      }
    },
    ticker: {
      name: 'otlp-ignored',
      atStop: true,
      intervalMs: WRITE_INTERVAL_MS,
      async run() {
        const written = remembered;
        remembered = new Map();
        const byWorkspace = Map.groupBy(written.values(), ({ workspaceId }) => workspaceId);
        try {
          for (const [workspaceId, counted] of byWorkspace) {
            const rows = counted.map(({ row }) => row);
            await deps.otlp.countIgnored(workspaceId, rows, deps.clock.nowMicros() - FORGOTTEN_AFTER_MICROS);
            byWorkspace.delete(workspaceId);
          }
        } finally {
          // Of one that failed, and of those that were not come to.
          for (const { workspaceId, row } of [...byWorkspace.values()].flat()) add(workspaceId, row);
        }
      },
    },
  };
}

/** The reason for which nothing is to be done: the sender asked for it. */
const WANTED: IgnoredReason = 'not_marked';

/** What a rule took away would have been an answer, so it is the reason to tell, however many others there are. */
const RULED: ReadonlySet<IgnoredReason> = new Set(RULE_REASONS);

/** What no setting of the sender makes an answer: told only where there is no other reason. */
const NO_FAULT: ReadonlySet<IgnoredReason> = new Set(['unrelated', 'other_operation']);

/** Tells the sender of a request that all of it was ignored; nothing where that was asked for. */
export function describeIgnored({ kinds, items }: IgnoredOfRequest): string {
  const counts = new Map<IgnoredReason, number>();
  for (const { kind: number } of items) {
    const reason = kinds[number]?.reason;
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const rank = (reason: IgnoredReason) => (RULED.has(reason) ? 2 : NO_FAULT.has(reason) ? 0 : 1);
  const [main] = [...counts]
    .filter(([reason]) => reason !== WANTED)
    .sort(([one, a], [other, b]) => rank(other) - rank(one) || b - a);
  if (main === undefined) return '';
  const [reason, count] = main;
  return (
    `nothing of this request became a record: ${count} of ${items.length} items have the reason ${reason}; ` +
    'see GET /api/answer-audit-logs/otel/ignored'
  );
}
