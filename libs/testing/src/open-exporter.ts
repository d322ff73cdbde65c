import { createRequire } from 'node:module';
import { type AttributeValue, ROOT_CONTEXT, type SpanContext, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPLogExporter as JsonLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider, type LogRecordExporter } from '@opentelemetry/sdk-logs';
import { BatchSpanProcessor, RandomIdGenerator, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';

/** The exporters of OpenTelemetry's JavaScript SDK that speak OTLP over HTTP. */
export const EXPORTERS = [
  { signal: 'traces', encoding: 'protobuf' },
  { signal: 'traces', encoding: 'json' },
  { signal: 'logs', encoding: 'protobuf' },
  { signal: 'logs', encoding: 'json' },
] as const;

/** Those that speak gRPC. */
export const GRPC_EXPORTERS = [
  { signal: 'traces', encoding: 'grpc' },
  { signal: 'logs', encoding: 'grpc' },
] as const;

/** How an exporter is set up; what an application would say in code or in variables. */
export type ExporterOptions = ((typeof EXPORTERS)[number] | (typeof GRPC_EXPORTERS)[number]) & {
  /** What `OTEL_EXPORTER_OTLP_ENDPOINT` would be: over HTTP, `/v1/traces` or `/v1/logs` is below it. */
  readonly endpoint: string;
  readonly token: string;
  readonly isCompressed: boolean;
  /** Attributes of the resource, such as `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
  /** Until when an export is tried again; 10 s when it is not said. */
  readonly timeoutMillis?: number;
};

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

function openTraces(options: ExporterOptions, outcomes: ExportOutcome[]): Opened {
  const exporter = createTraceExporter(options);
  const provider = new TracerProvider({
    resource: resourceFromAttributes(options.resource),
    spanProcessors: [new BatchSpanProcessor({ exporter: watch<SpanExporter>(exporter, outcomes) })],
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

function openLogs(options: ExporterOptions, outcomes: ExportOutcome[]): Opened {
  const exporter = createLogExporter(options);
  const provider = new LoggerProvider({
    resource: resourceFromAttributes(options.resource),
    processors: [new BatchLogRecordProcessor({ exporter: watch<LogRecordExporter>(exporter, outcomes) })],
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

function createTraceExporter(options: ExporterOptions): SpanExporter {
  if (options.encoding !== 'grpc')
    return new (options.encoding === 'json' ? JsonTraceExporter : ProtobufTraceExporter)(createConfig(options));
  const { OTLPTraceExporter } = load<{ OTLPTraceExporter: new (config: object) => SpanExporter }>(
    '@opentelemetry/exporter-trace-otlp-grpc',
  );
  return new OTLPTraceExporter(createGrpcConfig(options));
}

function createLogExporter(options: ExporterOptions): LogRecordExporter {
  if (options.encoding !== 'grpc')
    return new (options.encoding === 'json' ? JsonLogExporter : ProtobufLogExporter)(createConfig(options));
  const { OTLPLogExporter } = load<{ OTLPLogExporter: new (config: object) => LogRecordExporter }>(
    '@opentelemetry/exporter-logs-otlp-grpc',
  );
  return new OTLPLogExporter(createGrpcConfig(options));
}

/** Only where gRPC is spoken: its client takes long to load. */
function load<T>(name: string): T {
  return createRequire(import.meta.url)(name) as T;
}

function createGrpcConfig({ endpoint, token, isCompressed, timeoutMillis }: ExporterOptions): object {
  const { Metadata } = load<{ Metadata: new () => { set(name: string, value: string): void } }>('@grpc/grpc-js');
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  return {
    url: endpoint,
    metadata,
    compression: isCompressed ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE,
    ...(timeoutMillis === undefined ? {} : { timeoutMillis }),
  };
}

function createConfig({ signal, endpoint, token, isCompressed, timeoutMillis }: ExporterOptions) {
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
