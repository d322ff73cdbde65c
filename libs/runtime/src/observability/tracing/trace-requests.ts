import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { CallHandler } from '@answer-evidence/grpc-edge';
import type { HttpMetrics } from '@answer-evidence/http-edge';
import type { Config } from '../../ground/config.ts';
import { roleOf } from '../../ground/roles.ts';
import type { StageName } from '../../ground/stage-names.ts';
import type { ExportEvents } from './count-exports.ts';
import { planTraces } from './plan-traces.ts';
import type { Tracing } from './tracing.ts';

const CALLER_LEFT = 499;

/** The traces of the settings; undefined where they name no place for them, or none that can be used. */
export async function openTracingOf(
  config: Config,
  stages: readonly StageName[],
  on: ExportEvents & { onRefused(sentence: string): void },
): Promise<Tracing | undefined> {
  const plan = planTraces(config);
  if (plan === undefined) return undefined;
  if ('refused' in plan) {
    on.onRefused(plan.refused);
    return undefined;
  }
  const { openTracing } = await import('./open-tracing.ts');
  return openTracing({
    url: plan.url,
    headers: plan.headers,
    events: on,
    percent: config.SERVICE_TRACES_PERCENT,
    resource: {
      'service.name': config.OTEL_SERVICE_NAME ?? `answer-evidence-${roleOf(stages)}`,
      'service.namespace': 'answer-evidence',
    },
  });
}

/** Handles a request inside of its span. One that ends without having been counted was left by its caller. */
export function traceRequest(
  tracing: Tracing,
  req: IncomingMessage,
  res: ServerResponse,
  handler: (req: IncomingMessage, res: ServerResponse) => void,
): void {
  const { traceparent } = req.headers;
  const span = tracing.request(typeof traceparent === 'string' ? traceparent : undefined, () => handler(req, res));
  res.once('close', () => {
    // The edge counts a request when its reply has ended, which may be a moment later.
    setImmediate(() => span.end('unmatched', 'UNKNOWN', res.writableFinished ? res.statusCode : CALLER_LEFT));
  });
}

/** The same for a call of gRPC, whose status is that of the HTTP of its route. */
export function traceCall(
  tracing: Tracing,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  handler: CallHandler,
): void {
  const { traceparent } = headers;
  const span = tracing.request(typeof traceparent === 'string' ? traceparent : undefined, () =>
    handler(stream, headers),
  );
  stream.once('close', () => {
    setImmediate(() => span.end('unmatched', 'UNKNOWN', CALLER_LEFT));
  });
}

/** Tells the span of a request what the metrics are told: the template of its route, its method and its status. */
export function traceRequestsEnded(metrics: HttpMetrics, tracing: Tracing): HttpMetrics {
  return {
    requestStarted: () => metrics.requestStarted(),
    damageFound: (route) => metrics.damageFound(route),
    requestEnded(route, method, status, seconds) {
      tracing.currentRequest()?.end(route, method, status);
      metrics.requestEnded(route, method, status, seconds);
    },
  };
}
