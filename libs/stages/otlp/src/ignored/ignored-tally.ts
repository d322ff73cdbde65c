import type { IgnoredOfRequest } from '@answer-evidence/otlp-mapping';
import { newId, type Ticker } from '@answer-evidence/ports';
import type { OtlpIgnoredRow } from '@answer-evidence/tables';
import type { OtlpDeps } from '../deps.ts';
import { createRememberedFates, formatSpanIds, type RememberedFates } from './remembered-fates.ts';

/** Most kinds of items of one sender that are remembered until they are written. */
const KINDS_REMEMBERED_MAX = 1_000;
/** Of as many kinds of items that a workspace has held, the names of attributes are remembered. */
const NAMES_REMEMBERED_MAX = 250;
const WRITE_INTERVAL_MS = 2_000;
/** How long it is known what became of items: 30 days. */
const FORGOTTEN_AFTER_MICROS = 30 * 24 * 3_600 * 1_000_000;

/** Counts what is left out in memory, and writes it now and then: no request waits for that or fails by it. */
export type IgnoredTally = {
  note(request: IgnoredRequest): void;
  readonly ticker: Ticker;
};

/** A request of which items left no record. */
type IgnoredRequest = {
  readonly workspaceId: string;
  /** The token that sent it: each has a share of what is kept. */
  readonly sender: string;
  /** The application of its token: items of another one are not its to count. */
  readonly bound: string | undefined;
  readonly ignored: IgnoredOfRequest;
  /** Traces of which something is or may become a record; their other items are not ignored. */
  readonly answered: ReadonlySet<string | null>;
};

/** What one sender has in memory. */
type Remembered = {
  readonly workspaceId: string;
  readonly rows: Map<string, OtlpIgnoredRow>;
  readonly fates: RememberedFates;
};

/** A tally over the store. What could not be written is kept for the next time. */
export function createIgnoredTally(
  deps: Pick<OtlpDeps, 'otlp' | 'clock' | 'random' | 'onIgnored' | 'onRefused'>,
): IgnoredTally {
  let remembered = new Map<string, Remembered>();
  /** By workspace: names of attributes of held items, which are not kept with them; the oldest are forgotten. */
  const namesOf = new Map<string, Map<string, readonly string[]>>();

  function rememberNames(workspaceId: string, name: string, attributeNames: readonly string[]): void {
    const names = namesOf.get(workspaceId) ?? new Map<string, readonly string[]>();
    namesOf.set(workspaceId, names);
    names.delete(name);
    names.set(name, attributeNames);
    const [oldest] = names.keys();
    if (names.size > NAMES_REMEMBERED_MAX && oldest !== undefined) names.delete(oldest);
  }

  function ofSender(workspaceId: string, sender: string): Remembered {
    const name = JSON.stringify([workspaceId, sender]);
    const before = remembered.get(name) ?? { workspaceId, rows: new Map(), fates: createRememberedFates() };
    remembered.set(name, before);
    return before;
  }

  return {
    note({ workspaceId, sender, bound, ignored: { kinds, items }, answered }) {
      const now = deps.clock.nowMicros();
      const isLeft = ({ traceId }: (typeof items)[number]) => traceId === null || !answered.has(traceId);
      const left = Map.groupBy(items.filter(isLeft), ({ kind }) => kind);
      for (const [number, { applicationKey, scopeName, reason, detail = '', attributeNames }] of kinds.entries()) {
        const of = left.get(number) ?? [];
        if (of.length > 0) deps.onIgnored?.(reason, of.length);
        if (of.length > 0 && reason === 'refused') deps.onRefused?.(workspaceId, detail, of.length);
        if (bound !== undefined && applicationKey !== '' && applicationKey !== bound) continue;
        const application = bound ?? applicationKey;
        const name = JSON.stringify([application, scopeName, reason]);
        if (of.length === 0) {
          if (attributeNames.length > 0) rememberNames(workspaceId, name, attributeNames);
          continue;
        }
        const { rows, fates } = ofSender(workspaceId, sender);
        const common = { application_key: application, scope_name: scopeName, reason, detail, sender };
        const last = of.at(-1);
        addRow(rows, {
          ...common,
          id: newId(deps),
          item_count: of.length,
          first_seen_at: now,
          last_seen_at: now,
          trace_id: last?.traceId ?? '',
          span_id: last?.spanId ?? '',
          attribute_names: JSON.stringify(
            attributeNames.length > 0 ? attributeNames : (namesOf.get(workspaceId)?.get(name) ?? []),
          ),
        });
        for (const [traceId, spans] of Map.groupBy(of, (item) => item.traceId))
          if (traceId !== null)
            fates.add(common, traceId, () => ({
              ...common,
              id: newId(deps),
              trace_id: traceId,
              item_count: spans.length,
              first_seen_at: now,
              last_seen_at: now,
              span_ids: formatSpanIds(spans),
            }));
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
          for (const [workspaceId, of] of byWorkspace) {
            const rows = of.flatMap((one) => [...one.rows.values()]);
            const fates = of.flatMap((one) => one.fates.rows());
            await deps.otlp.countIgnored(workspaceId, rows, fates, deps.clock.nowMicros() - FORGOTTEN_AFTER_MICROS);
            byWorkspace.delete(workspaceId);
          }
        } finally {
          // Of one that failed, and of those that were not come to.
          for (const { workspaceId, rows, fates } of [...byWorkspace.values()].flat()) {
            for (const row of rows.values()) addRow(ofSender(workspaceId, row.sender).rows, row);
            for (const fate of fates.rows())
              ofSender(workspaceId, fate.sender).fates.add(fate, fate.trace_id, () => fate);
          }
        }
      },
    },
  };
}

function addRow(rows: Map<string, OtlpIgnoredRow>, row: OtlpIgnoredRow): void {
  const name = JSON.stringify([row.application_key, row.scope_name, row.reason, row.detail]);
  const before = rows.get(name);
  const isFull = before === undefined && rows.size >= KINDS_REMEMBERED_MAX;
  // What there is no room for is counted without its names.
  if (isFull && row.scope_name + row.detail !== '') return addRow(rows, { ...row, scope_name: '', detail: '' });
  if (isFull && row.application_key !== '' && rows.size >= 2 * KINDS_REMEMBERED_MAX)
    return addRow(rows, { ...row, application_key: '' });
  const [older, newer] =
    before === undefined || before.last_seen_at <= row.last_seen_at ? [before, row] : [row, before];
  const sum = row.item_count + (before?.item_count ?? 0);
  rows.set(name, { ...newer, first_seen_at: (older ?? newer).first_seen_at, item_count: sum });
}
