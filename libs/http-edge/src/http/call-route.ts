import type { Problem, ProblemCode } from '@answer-evidence/contracts';
import type { ByteBudget, ByteLease, Route, RouteReply } from '@answer-evidence/routes';
import type { ClientRequest } from '../rate-limits/client-address.ts';
import { admit, type Gate } from './admit.ts';
import { createReadPart } from './create-read-part.ts';
import { EdgeRequest } from './edge-request.ts';
import { CALLER_LEFT, createJournal, type Exchange, type HttpMetrics, type RequestLogger } from './exchange.ts';
import { bodyBytesMaxOf } from './parse-input.ts';
import { planProblem, toServiceError } from './plan-problem.ts';
import { bodyTooLarge, CallerLeftError, UNCOUNTED_BYTES } from './read-body.ts';
import type { BodyReaders } from './read-body-part.ts';
import { createRequestIds } from './request-ids.ts';

/** A request of a route that came over another protocol than HTTP/1.1, under the names that HTTP has for its parts. */
export type Call = {
  readonly client: ClientRequest;
  /**
   * The body, asked for once its caller was let in. `assertAccepted` is to be told its size before it is read, and
   * throws for one that is too large or not paid for; `lease` is to grow as it arrives. Rejects with `CallerLeftError`
   * when nobody waits for the reply any more.
   */
  readBody(bytesMax: number, lease: ByteLease, assertAccepted: (sizeBytes: number) => void): Promise<Uint8Array>;
  /** Aborted when nobody waits for the reply any more. */
  readonly over: AbortSignal;
};

/** What a call comes to; undefined where nobody waits for it. */
export type CallOutcome =
  | { readonly reply: RouteReply; readonly problem?: undefined }
  | { readonly problem: Problem; readonly retryAfterSeconds: number | undefined }
  | undefined;

/** A route whose large bodies have a budget of their own. */
export type CalledRoute = Route & { readonly bodyBudget: ByteBudget };

/** Answers calls as the HTTP edge answers requests: the same callers, limits, memory, threads and log lines. */
export type CallEdge = {
  /** `name`: of the call, in metrics and log lines. Never rejects. */
  answer(route: CalledRoute, name: string, call: Call): Promise<CallOutcome>;
  /** Counts and logs what was refused before any route had it, as the HTTP edge does with unknown paths. */
  refuse(outcome: { readonly status: number; readonly code: ProblemCode }): void;
};

/** What that needs: of the HTTP edge the very same. */
export type CallEdgeOptions = Gate & {
  readonly logger: RequestLogger;
  readonly metrics: HttpMetrics;
  readonly readers?: BodyReaders | undefined;
};

/** A call edge over the gate of the HTTP edge; its routes have neither parameters nor a query. */
export function createCallEdge(edge: CallEdgeOptions): CallEdge {
  const { logger, metrics } = edge;
  const journal = createJournal({ logger, metrics, nextRequestId: createRequestIds() });
  return {
    async answer(route, name, call) {
      const exchange = journal.begin();
      exchange.route = name;
      try {
        const reply = await callRoute(edge, route, exchange, call);
        journal.end(exchange, 'POST', { status: reply.status });
        return { reply };
      } catch (cause) {
        if (cause instanceof CallerLeftError) {
          journal.end(exchange, 'POST', { status: CALLER_LEFT });
          return undefined;
        }
        const { problem, headers } = planProblem(toServiceError(cause), exchange.requestId, false, route.problemForm);
        const { status, code } = problem;
        journal.end(exchange, 'POST', status < 500 ? { status, code } : { status, code, error: cause });
        const after = headers['Retry-After'];
        return { problem, retryAfterSeconds: after === undefined ? undefined : Number(after) };
      }
    },
    refuse: (outcome) => journal.end(journal.begin(), 'POST', outcome),
  };
}

async function callRoute(
  edge: CallEdgeOptions,
  route: CalledRoute,
  exchange: Exchange,
  call: Call,
): Promise<RouteReply> {
  const { limits } = edge;
  const { client } = call;
  await admit(edge, route, exchange, client);
  const bytesMax = bodyBytesMaxOf(route);
  const { caller } = exchange;
  const lease = route.bodyBudget.open(caller?.workspaceId ?? '');
  function assertAccepted(sizeBytes: number): void {
    if (sizeBytes > bytesMax) throw bodyTooLarge(bytesMax);
    if (caller !== null && sizeBytes > UNCOUNTED_BYTES) limits.countBody(caller, sizeBytes, exchange);
  }
  try {
    const bytes = await call.readBody(bytesMax, lease, assertAccepted);
    const body = await createReadPart(edge, route, caller, client, () => call.over)(bytes, 'body');
    // From here on it is done, and answered if anyone still waits then.
    if (call.over.aborted) throw new CallerLeftError('nobody waits for the reply');
    const input = { params: undefined, query: undefined, body };
    return await route.handle(new EdgeRequest(input, exchange.caller, exchange.requestId, client, limits.clientKey));
  } finally {
    lease.release();
  }
}
