import type { IgnoredItems, RecordSummary, UnattachedTrace } from '@answer-evidence/contracts';

/** What the key of a record begins with that was made from telemetry without a key of its own. */
const DERIVED_KEY = 'otlp:';

/** What is known of an application that sends, or could send, OpenTelemetry. */
export type ApplicationCounts = {
  readonly application: string;
  /** Of the records that were looked at. */
  readonly records: number;
  /** Those of them that were made from a span or a log record. */
  readonly made: number;
  /** Those of the others that have one attached. */
  readonly attached: number;
  /** Those of the rest that name a trace: their sender wrote its id, and maybe a key of its own into a span. */
  readonly named: number;
  /** What is attached or belongs to no record: `span`, `log`. */
  readonly signals: readonly string[];
  /** Of the lines that were looked at: items that left no record, and traces that belong to none. */
  readonly ignored: number;
  readonly unattached: number;
  /** When something of it last came; null where nothing of OpenTelemetry is known. */
  readonly lastAt: string | null;
};

/** What these pieces of three lists say, the application that sent last first. Times are of one form, and so sorted. */
export function countApplications(
  records: readonly Pick<
    RecordSummary,
    'application_key' | 'created_at' | 'external_trace_id' | 'idempotency_key' | 'trace_refs'
  >[],
  ignored: readonly Pick<IgnoredItems, 'application_key' | 'item_count' | 'last_seen_at'>[],
  unattached: readonly Pick<UnattachedTrace, 'application_key' | 'signal' | 'received_at'>[],
): readonly ApplicationCounts[] {
  const names = new Set([...records, ...ignored, ...unattached].map((one) => one.application_key));
  return [...names]
    .map((application) => {
      const isOf = (one: { readonly application_key: string }) => one.application_key === application;
      const own = records.filter(isOf);
      const [ignoredHere, unattachedHere] = [ignored.filter(isOf), unattached.filter(isOf)];
      const traces = own.flatMap((record) => record.trace_refs);
      const times = [
        ...own.filter(isMade).map((record) => record.created_at),
        ...traces.map((trace) => trace.attached_at),
        ...ignoredHere.map((line) => line.last_seen_at),
        ...unattachedHere.map((trace) => trace.received_at),
      ];
      return {
        application,
        records: own.length,
        made: own.filter(isMade).length,
        attached: own.filter((record) => !isMade(record) && record.trace_refs.length > 0).length,
        named: own.filter(
          (record) => !isMade(record) && record.trace_refs.length === 0 && record.external_trace_id !== null,
        ).length,
        signals: [...new Set([...traces, ...unattachedHere].map(({ signal }) => signal))].toSorted(),
        ignored: ignoredHere.reduce((sum, line) => sum + line.item_count, 0),
        unattached: unattachedHere.length,
        lastAt: times.toSorted().at(-1) ?? null,
      };
    })
    .toSorted((a, b) => (b.lastAt ?? '').localeCompare(a.lastAt ?? '') || a.application.localeCompare(b.application));
}

/** The service derives such a key from the ids of a span that names none. */
function isMade({ idempotency_key: key }: Pick<RecordSummary, 'idempotency_key'>): boolean {
  return key?.startsWith(DERIVED_KEY) ?? false;
}
