import { type AttributeValue, ROOT_CONTEXT, type SpanContext, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPLogExporter as JsonLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider, type LogRecordExporter } from '@opentelemetry/sdk-logs';
import { BatchSpanProcessor, RandomIdGenerator, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';

/** An exporter of OpenTelemetry's JavaScript SDK. */
export type ExporterKind = { readonly encoding: 'protobuf' | 'json' | 'grpc' } & (
  | { readonly signal: 'traces'; readonly create: (options: ExporterSettings) => SpanExporter }
  | { readonly signal: 'logs'; readonly create: (options: ExporterSettings) => LogRecordExporter }
);

/** Those that speak OTLP over HTTP. */
export const EXPORTERS = [
  {
    signal: 'traces',
    encoding: 'protobuf',
    create: (options) => new ProtobufTraceExporter(createConfig('traces', options)),
  },
  { signal: 'traces', encoding: 'json', create: (options) => new JsonTraceExporter(createConfig('traces', options)) },
  {
    signal: 'logs',
    encoding: 'protobuf',
    create: (options) => new ProtobufLogExporter(createConfig('logs', options)),
  },
  { signal: 'logs', encoding: 'json', create: (options) => new JsonLogExporter(createConfig('logs', options)) },
] as const satisfies readonly ExporterKind[];

/** How an exporter is set up; what an application would say in code or in variables. */
export type ExporterSettings = {
  /** What `OTEL_EXPORTER_OTLP_ENDPOINT` would be: over HTTP, `/v1/traces` or `/v1/logs` is below it. */
  readonly endpoint: string;
  readonly token: string;
  readonly isCompressed: boolean;
  /** Attributes of the resource, such as `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
  /** Until when an export is tried again; 10 s when it is not said. */
  readonly timeoutMillis?: number;
};

/** An exporter, and how it is set up. */
type ExporterOptions = ExporterKind & ExporterSettings;

/** What one export came to. */
type ExportOutcome = { readonly items: number; readonly error: Error | undefined };

/** An unmodified exporter behind the batch processor that applications use. */
export type Exporter = {
  /** Ends a span, or emits a log record that belongs to one, with these attributes; returns its ids. */
  record(attributes: Readonly<Record<string, AttributeValue>>): { readonly traceId: string; readonly spanId: string };
  /** Exports what was recorded, and waits for what it came to. Never throws: a failed export is an outcome. */
  flush(): Promise<readonly ExportOutcome[]>;
  close(): Promise<void>;
};

/** Opens an exporter. Nothing is registered globally, so that several run in one process. */
export function openExporter(options: ExporterOptions): Exporter {
  const outcomes: ExportOutcome[] = [];
  const { flush, shutdown, record } =
    options.signal === 'traces' ? openTraces(options, outcomes) : openLogs(options, outcomes);
  return {
    record,
    async flush() {
      // It rejects when an export failed, which the outcomes tell with more.
      await flush().catch(() => undefined);
      return outcomes.splice(0);
    },
    close: () => shutdown().catch(() => undefined),
  };
}

type Opened = {
  readonly record: Exporter['record'];
  readonly flush: () => Promise<void>;
  readonly shutdown: () => Promise<void>;
};

function openTraces(options: ExporterOptions & { readonly signal: 'traces' }, outcomes: ExportOutcome[]): Opened {
  const provider = new TracerProvider({
    resource: resourceFromAttributes(options.resource),
    spanProcessors: [new BatchSpanProcessor({ exporter: watch(options.create(options), outcomes) })],
  });
  const tracer = provider.getTracer('tests', '1.0.0');
  return {
    record(attributes) {
      const span = tracer.startSpan('chat', { attributes }, ROOT_CONTEXT);
      span.end();
      const { traceId, spanId } = span.spanContext();
      return { traceId, spanId };
    },
    flush: () => provider.forceFlush(),
    shutdown: () => provider.shutdown(),
  };
}

function openLogs(options: ExporterOptions & { readonly signal: 'logs' }, outcomes: ExportOutcome[]): Opened {
  const provider = new LoggerProvider({
    resource: resourceFromAttributes(options.resource),
    processors: [new BatchLogRecordProcessor({ exporter: watch(options.create(options), outcomes) })],
  });
  const logger = provider.getLogger('tests', '1.0.0');
  const ids = new RandomIdGenerator();
  return {
    record(attributes) {
      const { traceId, spanId } = { traceId: ids.generateTraceId(), spanId: ids.generateSpanId() };
      const spanContext: SpanContext = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
      logger.emit({ attributes, body: 'chat', context: trace.setSpanContext(ROOT_CONTEXT, spanContext) });
      return { traceId, spanId };
    },
    flush: () => provider.forceFlush(),
    shutdown: () => provider.shutdown(),
  };
}

function createConfig(
  signal: ExporterKind['signal'],
  { endpoint, token, isCompressed, timeoutMillis }: ExporterSettings,
) {
  return {
    url: `${endpoint}/v1/${signal}`,
    headers: { Authorization: `Bearer ${token}` },
    compression: isCompressed ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE,
    ...(timeoutMillis === undefined ? {} : { timeoutMillis }),
  };
}

/** The exporter, which notes what each of its exports comes to. */
function watch<E extends SpanExporter | LogRecordExporter>(exporter: E, outcomes: ExportOutcome[]): E {
  return new Proxy(exporter, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name !== 'export') return (member as (...args: unknown[]) => unknown).bind(target);
      return (items: readonly unknown[], done: (result: { readonly error?: Error }) => void) => {
        (member as (...args: unknown[]) => unknown).call(target, items, (result: { readonly error?: Error }) => {
          outcomes.push({ items: items.length, error: result.error });
          done(result);
        });
      };
    },
  });
}
