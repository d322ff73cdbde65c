import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { performance } from 'node:perf_hooks';
import { type CallEdge, type CalledRoute, decompressBody } from '@answer-evidence/http-edge';
import { formatStatus, rpcCodeOf } from '@answer-evidence/otlp';
import type { Route } from '@answer-evidence/routes';
import { readMessage } from './read-message.ts';
import { parseTimeoutMs } from './timeout.ts';
import { type CallStatus, writeHttpError, writeMessage, writeStatus } from './write-reply.ts';

/** Answers one call. Never throws. */
export type CallHandler = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

const DEADLINE_EXCEEDED = 4;
const INVALID_ARGUMENT = 3;
const UNIMPLEMENTED = 12;
const INTERNAL = 13;
const PROTOBUF = 'application/x-protobuf';
/** A call is over after this, whatever its deadline is: exporters give up after 10 s. */
const CALL_MS_MAX = 60_000;

/** What refused calls are in metrics and log lines. */
const UNKNOWN_METHOD = { status: 404, code: 'not_found' } as const;
const FAULTY_HEADERS = { status: 400, code: 'malformed_request' } as const;

/** Answers the calls of all routes that have a method of gRPC; all others are not implemented. */
export function createCallHandler(edge: CallEdge, routes: readonly Route[]): CallHandler {
  const methods = new Map(routes.filter(isCalled).map((route) => [route.grpcMethod, route]));
  return (stream, headers) => {
    // Without a listener, a connection that breaks would end the process.
    stream.on('error', () => undefined);
    const { ':method': method, ':path': path = '', 'content-type': type = '' } = headers;
    if (method !== 'POST' || !/^application\/grpc(\+proto)?($|;)/.test(type)) {
      edge.refuse({ status: 415, code: 'media_type_not_supported' });
      writeHttpError(stream, 415, 'this port speaks gRPC only: use an exporter of OTLP over gRPC');
      return;
    }
    const route = methods.get(path);
    const refusal = route === undefined ? notImplemented(path, [...methods.keys()]) : findFault(headers);
    if (refusal !== undefined) {
      edge.refuse(route === undefined ? UNKNOWN_METHOD : FAULTY_HEADERS);
      writeStatus(stream, refusal);
    } else if (route !== undefined) void serveCall(edge, route, stream, headers);
  };
}

type MethodRoute = CalledRoute & { readonly grpcMethod: string };

function isCalled(route: Route): route is MethodRoute {
  return route.grpcMethod !== undefined && route.bodyBudget !== undefined;
}

function notImplemented(path: string, methods: readonly string[]): CallStatus {
  const advice = path.includes('.metrics.') ? 'turn metrics off (OTEL_METRICS_EXPORTER=none)' : 'check the exporter';
  return { code: UNIMPLEMENTED, message: `this service has only ${methods.join(' and ')}; ${advice}` };
}

function findFault(headers: IncomingHttpHeaders): CallStatus | undefined {
  const { 'grpc-encoding': encoding = 'identity', 'grpc-timeout': timeout } = headers;
  if (encoding !== 'identity' && encoding !== 'gzip')
    return { code: UNIMPLEMENTED, message: 'gzip is the only supported compression; use it or none' };
  if (typeof timeout === 'string' && parseTimeoutMs(timeout) === undefined)
    return { code: INVALID_ARGUMENT, message: 'grpc-timeout must be up to 8 digits and one of H, M, S, m, u, n' };
  return undefined;
}

async function serveCall(
  edge: CallEdge,
  route: MethodRoute,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const { 'grpc-timeout': timeout, ':authority': authority } = headers;
  const givenMs = typeof timeout === 'string' ? (parseTimeoutMs(timeout) ?? 0) : CALL_MS_MAX;
  const endsMs = performance.now() + Math.min(givenMs, CALL_MS_MAX);
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), endsMs - performance.now());
  stream.once('close', () => over.abort());
  try {
    const outcome = await edge.answer(route, route.grpcMethod, {
      client: {
        headers: { ...headers, host: headers.host ?? authority, 'content-type': PROTOBUF },
        socket: { remoteAddress: stream.session?.socket.remoteAddress },
      },
      over: over.signal,
      async readBody(bytesMax, lease, assertAccepted) {
        const { bytes, isCompressed } = await readMessage(stream, { lease, assertAccepted }, over.signal);
        return isCompressed ? await decompressBody(bytes, bytesMax, lease) : bytes;
      },
    });
    if (outcome === undefined)
      writeStatus(stream, { code: DEADLINE_EXCEEDED, message: 'the deadline passed before the work began; retry' });
    else if (outcome.problem === undefined) writeMessage(stream, messageOf(outcome.reply.body));
    else writeStatus(stream, toStatus(outcome.problem, outcome.retryAfterSeconds));
  } catch {
    // Only what goes wrong with writing gets here; the edge has logged everything else.
    writeStatus(stream, { code: INTERNAL, message: 'the service failed; export again' });
  } finally {
    clearTimeout(timer);
  }
}

function messageOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  throw new Error('a route of gRPC replies with bytes');
}

type Problem = Exclude<Awaited<ReturnType<CallEdge['answer']>>, undefined>['problem'] & object;

function toStatus(problem: Problem, retryAfterSeconds: number | undefined): CallStatus {
  const { status, code: name, detail, errors } = problem;
  const code = rpcCodeOf(status);
  const message = `${detail} (${name})`;
  const violations = errors.map(({ pointer, detail: description }) => ({ field: pointer, description }));
  return { code, message, details: formatStatus({ code, message, violations, retryAfterSeconds }, 'protobuf') };
}
