import { assertAllowed, type Caller } from '@answer-evidence/access';
import { type ProblemCode, type ProblemError, ServiceError } from '@answer-evidence/contracts';
import type { Route, RouteReply } from '@answer-evidence/ports';
import type { z } from 'zod';

/** One request as a test states it; a route that is not public and has no caller answers 401. */
export type RouteCall = {
  readonly as?: Caller;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
};

/** What came back; of a refusal its code and where the fault lies. */
export type CalledReply = RouteReply & { readonly code?: ProblemCode; readonly errors?: readonly ProblemError[] };

const STATUSES: Partial<Record<ProblemCode, number>> = {
  unauthenticated: 401,
  role_not_allowed: 403,
  scope_missing: 403,
  token_kind_not_allowed: 403,
  application_not_allowed: 403,
  workspace_not_allowed: 403,
  not_found: 404,
  idempotency_payload_mismatch: 409,
  transition_not_allowed: 409,
  version_conflict: 409,
  name_taken: 409,
  gone_redacted: 410,
  precondition_failed: 412,
  rate_limited: 429,
  internal: 500,
  ledger_unavailable: 503,
  receipt_unavailable: 503,
  overloaded: 503,
};

/**
 * Calls routes in the order of the HTTP edge: route, token, access matrix, schemas, handler. A successful reply must be
 * one that the route documents, with a body of the documented shape; anything else fails the test.
 */
export function createRouteCaller(
  routes: readonly Route[],
): (method: Route['method'], path: string, call?: RouteCall) => Promise<CalledReply> {
  return async (method, path, call = {}) => {
    try {
      const { route, params } = findRoute(routes, method, path);
      const caller = authenticate(route, call.as);
      const reply = await route.handle({
        params: parseWith(route.params, params, 'not_found'),
        query: parseWith(route.query, call.query ?? {}, 'schema_violation'),
        body: parseWith(route.body, call.body ?? (route.bodyOptional === true ? {} : undefined), 'schema_violation'),
        caller,
        header: (name) => call.headers?.[name],
        requestId: 'request-1',
      });
      return readReply(route, reply);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { status: STATUSES[error.code] ?? 422, code: error.code, errors: error.errors };
    }
  };
}

function findRoute(routes: readonly Route[], method: string, path: string) {
  for (const route of routes) {
    const names = [...route.path.matchAll(/\{\+?(\w+)\}/g)].map(([, name = '']) => name);
    // As RFC 6570 has it, `{+name}` goes over slashes.
    const pattern = route.path.replace(/\{\w+\}/g, '([^/]+)').replace(/\{\+\w+\}/g, '(.+)');
    const match = new RegExp(`^${pattern}$`).exec(path);
    if (match !== null && route.method === method)
      return { route, params: Object.fromEntries(names.map((name, n) => [name, match[n + 1] ?? ''])) };
  }
  throw new Error(`there is no route ${method} ${path}`);
}

function authenticate(route: Route, caller: Caller | undefined): Caller | null {
  if (route.access === 'public') return null;
  if (caller === undefined) throw new ServiceError('unauthenticated', 'a token is needed');
  assertAllowed(caller, route.access);
  return caller;
}

function parseWith(schema: z.ZodType | undefined, value: unknown, code: 'not_found' | 'schema_violation'): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ServiceError(code, 'the request does not fit the schema', {
    errors: parsed.error.issues.map(({ path, message }) => ({
      pointer: path.map((part) => `/${String(part)}`).join(''),
      detail: message,
    })),
  });
}

/** The reply as a client reads it: JSON text is parsed. */
function readReply(route: Route, reply: RouteReply): RouteReply {
  const documented = route.responses[reply.status];
  if (documented === undefined) throw new Error(`${route.operationId} does not document ${reply.status}`);
  if (documented.schema === undefined) return reply;
  const body: unknown = typeof reply.body === 'string' ? JSON.parse(reply.body) : reply.body;
  documented.schema.parse(body);
  return { ...reply, body };
}
