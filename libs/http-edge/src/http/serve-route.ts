import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ByteBudget,
  findUndocumented,
  isKnown,
  type ProblemForm,
  type Route,
  type RouteReply,
} from '@answer-evidence/routes';
import { findBearerToken } from '../auth/bearer.ts';
import { admit, type Gate } from './admit.ts';
import { openBodyRoom } from './body-room.ts';
import { compressReply, varyReply } from './compress-reply.ts';
import { createReadPart } from './create-read-part.ts';
import { EdgeRequest, headerOf } from './edge-request.ts';
import { CALLER_LEFT, type Exchange, type Journal } from './exchange.ts';
import { parseBody, parseParams, parseQuery } from './parse-input.ts';
import { placeReply } from './place-reply.ts';
import { planProblem, toServiceError } from './plan-problem.ts';
import { type BodyRoom, CallerLeftError } from './read-body.ts';
import type { BodyReaders } from './read-body-part.ts';
import { handleUpload, takesForm } from './serve-upload.ts';
import type { TickBarrier } from './tick-barrier.ts';
import { writeReply, writeReplyHead, type WrittenReply } from './write-reply.ts';
import { writeStream } from './write-stream.ts';

/** What responding needs. With `onUndocumented`, replies are checked against what their routes document. */
export type Edge = Gate & {
  readonly journal: Journal;
  readonly barrier: TickBarrier;
  /** For large bodies of routes that have no budget of their own. */
  readonly bodies: ByteBudget;
  /** Left out: large parts of bodies are read in this thread, too. */
  readonly readers?: BodyReaders | undefined;
  readonly onUndocumented: OnUndocumented | undefined;
  /** The path of the public address, which a proxy takes off requests; without a slash at its end. */
  readonly basePath: string;
};

/** Told of a reply that its route does not document. */
export type OnUndocumented = (fault: string) => void;

/** Answers one request of a route; `rawParams` is what its path's parameters stand for. Never rejects. */
export async function serveRoute(
  edge: Edge,
  route: Route,
  exchange: Exchange,
  rawParams: unknown,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  exchange.route = route.path;
  let room: BodyRoom | undefined;
  try {
    await edge.barrier();
    // In this order, so that a caller who may not do it learns nothing from what is wrong with the request.
    if (route.isProbe !== true && !(await isOpen(edge, route, exchange, rawParams, req)))
      await admit(edge, route, exchange, req);
    const params = parseParams(route, rawParams);
    const query = parseQuery(route, req.url ?? '');
    const toRequest = (body: unknown) =>
      new EdgeRequest({ params, query, body }, exchange.caller, exchange.requestId, req, edge.limits.clientKey);
    const read = createReadPart(edge, route, exchange.caller, req, () => signalOfClose(res));
    room = openBodyRoom(edge, route, exchange, req);
    const reply = takesForm(route, req)
      ? await handleUpload(route, toRequest, req, res, read)
      : await route.handle(toRequest(await parseBody(route, req, res, room, read)));
    const written: WrittenReply = {
      status: reply.status,
      contentType: reply.contentType ?? 'application/json',
      body: formatBody(reply),
      headers: placeReply(edge.basePath + exchange.below, route, req, reply),
      stream: reply.stream,
    };
    if (!isDocumented(edge, route, written)) throw new Error('a reply is not documented by its route');
    edge.journal.end(exchange, req.method, { status: await send(route, exchange, req, res, written) });
  } catch (error) {
    failExchange(edge.journal, exchange, req, res, error, {
      form: route.problemForm,
      inspect: (written) => isDocumented(edge, route, written),
    });
  } finally {
    room?.lease?.release();
  }
}

/** Aborted when the reply is out, or its caller has left. */
function signalOfClose(res: ServerResponse): AbortSignal {
  const over = new AbortController();
  res.once('close', () => over.abort());
  return over.signal;
}

/** Sends a reply, or that the caller has it already, and returns the status. */
async function send(
  route: Route,
  exchange: Exchange,
  req: IncomingMessage,
  res: ServerResponse,
  made: WrittenReply,
): Promise<number> {
  const varied = varyReply(route, made);
  if (isKnownToCaller(req, varied)) {
    writeReply(req, res, exchange, { ...varied, status: 304, body: undefined, stream: undefined });
    return 304;
  }
  const reply = varied === made ? made : await compressReply(req, varied);
  if (reply.stream === undefined) writeReply(req, res, exchange, reply);
  else await writeStream(req, res, reply.stream, () => void writeReplyHead(req, res, exchange, reply));
  return reply.status;
}

/** RFC 9110 section 13.2.2: only what would be answered with 200, so that callers and requests are judged first. */
function isKnownToCaller(req: IncomingMessage, { status, headers }: WrittenReply): boolean {
  const known = req.headers['if-none-match'];
  if (known === undefined || status !== 200 || headers?.ETag === undefined) return false;
  return (req.method === 'GET' || req.method === 'HEAD') && isKnown(known, headers.ETag);
}

/** Whether the route lets this request in without a token; a given token is always checked. Throws `rate_limited`. */
async function isOpen(
  { hosts, limits }: Edge,
  route: Route,
  exchange: Exchange,
  rawParams: unknown,
  req: IncomingMessage,
): Promise<boolean> {
  if (route.publicWhen === undefined || req.headers.authorization !== undefined) return false;
  // Already the question whether it is public is one that anybody may put.
  limits.countVisitor(route, req, exchange);
  if (!(await route.publicWhen(parseParams(route, rawParams)))) return false;
  await hosts.assertHost(req.headers.host, null);
  return true;
}

/**
 * Whether a reply is as its route documents it. Checked in tests and with `SERVICE_CHECK_REPLIES=on` only: the check
 * costs more than making most replies, and an undocumented reply helps a caller more than none.
 */
function isDocumented({ onUndocumented }: Edge, route: Route, written: WrittenReply): boolean {
  if (onUndocumented === undefined) return true;
  const fault = findUndocumented(route, written);
  if (fault !== undefined) onUndocumented(fault);
  return fault === undefined;
}

function formatBody(reply: RouteReply): string | Uint8Array | undefined {
  const { body } = reply;
  if (typeof body === 'string' || body instanceof Uint8Array || body === undefined) return body;
  return JSON.stringify(body);
}

/** How an error is answered besides by what it is. */
type Failing = {
  readonly headers?: Readonly<Record<string, string>>;
  /** Left out: as a problem of RFC 9457. */
  readonly form?: ProblemForm | undefined;
  /** Sees the answer before it goes out. */
  readonly inspect?: (written: WrittenReply) => void;
};

/** Answers an exchange with the problem that the error is, and ends it. An error of the service's own is logged. */
export function failExchange(
  journal: Journal,
  exchange: Exchange,
  req: IncomingMessage,
  res: ServerResponse,
  cause: unknown,
  { headers = {}, form, inspect }: Failing = {},
): void {
  if (cause instanceof CallerLeftError) {
    res.destroy();
    journal.end(exchange, req.method, { status: CALLER_LEFT });
    return;
  }
  const error = toServiceError(cause);
  const tokenGiven = findBearerToken(req.headers.authorization) !== undefined;
  const planned = planProblem(error, exchange.requestId, tokenGiven, form);
  const { status, code } = planned.problem;
  // A reply that failed half-way cannot become another one; a cut connection is the only honest end.
  if (res.headersSent) res.destroy();
  else {
    const written: WrittenReply = {
      status,
      ...(form === undefined
        ? { contentType: 'application/problem+json', body: JSON.stringify(planned.problem) }
        : form.format(planned.problem, (name) => headerOf(req, name))),
      headers: { ...planned.headers, ...headers },
    };
    inspect?.(written);
    writeReply(req, res, exchange, written);
  }
  journal.end(exchange, req.method, status < 500 ? { status, code } : { status, code, error: cause });
}
