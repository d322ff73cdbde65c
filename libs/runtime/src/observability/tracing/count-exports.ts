import type { SpanExporter } from '@opentelemetry/sdk-trace';

/** Is told of spans that could not be exported. */
export type ExportEvents = {
  /** So many were lost; `isFirst` since exporting worked last. */
  onLost(spans: number, isFirst: boolean): void;
  /** Exporting works again; so many were lost meanwhile. */
  onAgain(lostSpans: number): void;
};

/** `ExportResultCode.SUCCESS` of a package that is not a dependency. */
const SUCCESS = 0;

/** The exporter of OTLP says nothing of its failures where nobody registered a logger: this counts what they cost. */
export function countExports(exporter: SpanExporter, on: ExportEvents): SpanExporter {
  let lost = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (Number(result.code) !== SUCCESS) {
          on.onLost(spans.length, lost === 0);
          lost += spans.length;
        } else if (lost > 0) {
          on.onAgain(lost);
          lost = 0;
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush === undefined ? {} : { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
}
