import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, type Link, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { describeError } from '../describe-error.ts';
import { countExports, type ExportEvents } from './count-exports.ts';
import type { RequestSpan, SpanAttributes, Tracing } from './tracing.ts';

/** Where traces go, and how many of them. */
type TracingOptions = {
  /** An endpoint of OTLP over HTTP, with its path. */
  readonly url: string;
  /** What authenticates the service there, asked for each request. */
  readonly headers?: (() => Readonly<Record<string, string>>) | undefined;
  /** Of a hundred traces. */
  readonly percent: number;
  /** Of the resource: the role of the process and its version. */
  readonly resource: Readonly<Record<string, string>>;
  readonly events: ExportEvents;
};

const CLOSE_MS = 2_000;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

type Frame = { readonly context: Context; readonly request?: RequestSpan };

/**
 * Opens traces over OTLP. Nothing is registered globally and nothing is instrumented: there are only the spans that the
 * service makes itself, so that what they say is what is written here.
 */
export async function openTracing({ url, headers, percent, resource, events }: TracingOptions): Promise<Tracing> {
  const { BatchSpanProcessor, OTLPTraceExporter, resourceFromAttributes, TraceIdRatioBasedSampler, TracerProvider } =
    await import('./exporter-packages.ts');
  const provider = new TracerProvider({
    resource: resourceFromAttributes(resource),
    sampler: new TraceIdRatioBasedSampler(percent / 100),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: countExports(
          new OTLPTraceExporter({
            url,
            ...(headers === undefined ? {} : { headers: () => Promise.resolve({ ...headers() }) }),
          }),
          events,
        ),
      }),
    ],
  });
  const tracer = provider.getTracer('answer-evidence');
  const frames = new AsyncLocalStorage<Frame>();

  async function run<T>(span: Span, frame: Frame, action: () => Promise<T>): Promise<T> {
    try {
      return await frames.run(frame, action);
    } catch (error) {
      const { code, name } = describeError(error);
      span.setAttribute('error.type', code ?? name);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  function span<T>(name: string, attributes: SpanAttributes, action: () => Promise<T>): Promise<T> {
    const outer = frames.getStore();
    const begun = tracer.startSpan(name, { attributes }, outer?.context ?? ROOT_CONTEXT);
    return run(begun, { ...outer, context: trace.setSpan(outer?.context ?? ROOT_CONTEXT, begun) }, action);
  }

  return {
    span,
    detail: (name, attributes, action) => (frames.getStore() === undefined ? action() : span(name, attributes, action)),
    request(traceparent, handle) {
      const links = linksOf(traceparent);
      const begun = tracer.startSpan('request', { kind: SpanKind.SERVER, links }, ROOT_CONTEXT);
      let isEnded = false;
      const request: RequestSpan = {
        end(route, method, status) {
          if (isEnded) return;
          isEnded = true;
          begun.updateName(`${method} ${route}`);
          begun.setAttributes({
            'http.route': route,
            'http.request.method': method,
            'http.response.status_code': status,
          });
          if (status >= 500) begun.setStatus({ code: SpanStatusCode.ERROR });
          begun.end();
        },
      };
      frames.run({ context: trace.setSpan(ROOT_CONTEXT, begun), request }, handle);
      return request;
    },
    currentRequest: () => frames.getStore()?.request,
    note(name, attributes, beganAtMs) {
      tracer.startSpan(name, { attributes, startTime: beganAtMs }, ROOT_CONTEXT).end();
    },
    async close() {
      // A collector that does not respond holds no stop up.
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref()),
      ]);
    },
  };
}

/** The caller's span as a link: anyone may send one, so it decides neither the trace nor whether there is one. */
function linksOf(traceparent: string | undefined): Link[] {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return [];
  return [{ context: { traceId, spanId, traceFlags: Number.parseInt(flags, 16) } }];
}
