import type { IgnoredItems, RecordSummary, UnattachedTrace } from '@answer-evidence/contracts';

/** What is known of an application that sends, or could send, OpenTelemetry. */
export type ApplicationCounts = {
  readonly application: string;
  /** Of the records that were looked at. */
  readonly records: number;
  /** Those of them that name a trace, as each does that was made from one, or have one attached. */
  readonly traced: number;
  /** What its traces are: `span`, `log`. */
  readonly signals: readonly string[];
  /** Of the lines that were looked at: items that left no record, and traces that belong to none. */
  readonly ignored: number;
  readonly unattached: number;
  /** When something of it last came; null where nothing of OpenTelemetry is known. */
  readonly lastAt: string | null;
};

/** What these pieces of three lists say, the application that sent last first. Times are of one form, and so sorted. */
export function countApplications(
  records: readonly Pick<RecordSummary, 'application_key' | 'created_at' | 'external_trace_id' | 'trace_refs'>[],
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
        ...own.filter(isTraced).map((record) => record.created_at),
        ...traces.map((trace) => trace.attached_at),
        ...ignoredHere.map((line) => line.last_seen_at),
        ...unattachedHere.map((trace) => trace.received_at),
      ];
      return {
        application,
        records: own.length,
        traced: own.filter(isTraced).length,
        signals: [...new Set([...traces, ...unattachedHere].map(({ signal }) => signal))].toSorted(),
        ignored: ignoredHere.reduce((sum, line) => sum + line.item_count, 0),
        unattached: unattachedHere.length,
        lastAt: times.toSorted().at(-1) ?? null,
      };
    })
    .toSorted((a, b) => (b.lastAt ?? '').localeCompare(a.lastAt ?? '') || a.application.localeCompare(b.application));
}

function isTraced(record: Pick<RecordSummary, 'external_trace_id' | 'trace_refs'>): boolean {
  return record.external_trace_id !== null || record.trace_refs.length > 0;
}
