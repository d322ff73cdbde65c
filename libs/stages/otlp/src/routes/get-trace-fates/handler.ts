import { boundsOf } from '@answer-evidence/access';
import type { TraceFateLine, TraceFates } from '@answer-evidence/contracts';
import { getTraceFates } from '@answer-evidence/contracts/operations';
import { formatTimestamp } from '@answer-evidence/encoding';
import type { FoundFates } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { OtlpDeps } from '../../deps.ts';

/** `GET /api/answer-audit-logs/otel/traces/{trace_id}`: what became of the items of a trace, for 30 days. */
export function getTraceFatesRoute(deps: Pick<OtlpDeps, 'otlp'>): Route {
  return defineRoute({
    ...getTraceFates,
    async handle({ params, caller }) {
      const found = await deps.otlp.findFates(
        caller.workspaceId,
        params.trace_id,
        boundsOf(caller)?.applications ?? undefined,
      );
      return { status: 200, body: toTraceFates(params.trace_id, found) };
    },
  });
}

/** The reason of a line whose detail says why an answer has no question. */
const NOTED = 'unread_state';

const NOTHING = {
  reason: null,
  detail: null,
  scope_name: null,
  span_ids: [],
  item_count: null,
  answer_log_id: null,
  idempotency_key: null,
} satisfies Partial<TraceFateLine>;

function toTraceFates(id: string, found: FoundFates): TraceFates {
  const lines = withoutNotes([
    ...found.records.map((row): TraceFateLine => {
      const spans = spansOfKey(id, row.idempotency_key);
      return {
        ...lineOf('record', row.application_key, row.created_at, spans),
        answer_log_id: row.id,
        idempotency_key: row.idempotency_key === '' ? null : row.idempotency_key,
      };
    }),
    ...found.attached.map((row): TraceFateLine => ({
      ...lineOf('attached', row.application_key, row.attached_at, spansOf(row.span_id)),
      answer_log_id: row.record_id,
    })),
    ...found.held.map((row) => lineOf('held', row.application_key, row.received_at, [])),
    ...found.waiting.map((row) => lineOf('waiting', row.application_key, row.received_at, spansOf(row.span_id))),
    ...found.unattached.map((row): TraceFateLine => ({
      ...lineOf('unattached', row.application_key, row.unattached_at, spansOf(row.span_id)),
      reason: row.reason,
      answer_log_id: row.record_id,
      idempotency_key: row.idempotency_key,
    })),
    ...found.leftOut.map((row): TraceFateLine => {
      const spans = [...new Set(row.span_ids.split(' ').filter((one) => one !== ''))];
      return {
        ...lineOf(fateOf(row.reason), row.application_key, row.last_seen_at, spans),
        reason: row.reason,
        detail: row.detail === '' ? null : row.detail,
        scope_name: row.scope_name,
        item_count: row.item_count,
      };
    }),
  ]);
  return { trace_id: id, lines, others: othersOf(found) };
}

/** Why an answer has no question is listed beside what became of it: it is no fate of its own. */
function withoutNotes(lines: readonly TraceFateLine[]): TraceFateLine[] {
  const notes = lines.filter(({ fate, reason, detail }) => fate === 'ignored' && reason === NOTED && detail !== null);
  const isNoteOf = (note: TraceFateLine, line: TraceFateLine) =>
    !notes.includes(line) && line.span_ids.some((span) => note.span_ids.includes(span));
  const placed = new Set(notes.filter((note) => lines.some((line) => isNoteOf(note, line))));
  return lines
    .filter((line) => !placed.has(line))
    .map((line) => ({ ...line, detail: line.detail ?? notes.find((note) => isNoteOf(note, line))?.detail ?? null }));
}

function lineOf(
  fate: TraceFateLine['fate'],
  applicationKey: string,
  at: number,
  spans: readonly string[],
): TraceFateLine {
  return {
    ...NOTHING,
    application_key: applicationKey,
    fate,
    span_ids: [...spans],
    item_count: spans.length === 0 ? null : spans.length,
    at: formatTimestamp(at),
  };
}

function fateOf(reason: FoundFates['leftOut'][number]['reason']): TraceFateLine['fate'] {
  if (reason === 'refused') return 'refused';
  return reason === 'attribute_ignored' ? 'warned' : 'ignored';
}

/** What is beside an answer, or waits with others, has no line of its own. */
function othersOf({ records, attached, held, waiting, unattached, isPending }: FoundFates): TraceFates['others'] {
  if (isPending || held.length > 0) return 'pending';
  return records.length + attached.length + waiting.length + unattached.length > 0 ? 'part' : 'unknown';
}

function spansOf(spanId: string | null): readonly string[] {
  return spanId === null || spanId === '' ? [] : [spanId];
}

/** The span in a key that was derived from it. */
function spansOfKey(id: string, key: string): readonly string[] {
  const begin = `otlp:${id}:`;
  return key.startsWith(begin) ? [key.slice(begin.length)] : [];
}
