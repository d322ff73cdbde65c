import { assertAllowed, type Caller } from '@answer-evidence/access';
import {
  PROBLEM_TABLE,
  type ProblemCode,
  type ProblemError,
  problemType,
  ServiceError,
} from '@answer-evidence/contracts';
import {
  type CheckedReply,
  findUndocumented,
  type Route,
  type RouteReply,
  type UploadedFile,
} from '@answer-evidence/routes';
import type { z } from 'zod';

/** One request as a test states it; a route that is not public and has no caller answers 401. */
export type RouteCall = {
  readonly as?: Caller;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends a form with this file, and with `body` as its metadata. */
  readonly file?: UploadedFile;
  /** The client's address. */
  readonly from?: string;
};

/** What came back; of a refusal its code, its sentence and where the fault lies. */
export type CalledReply = RouteReply & {
  readonly code?: ProblemCode;
  readonly detail?: string;
  readonly errors?: readonly ProblemError[];
};

/**
 * Calls routes in the order of the HTTP edge: route, token, access matrix, schemas, handler. Every reply must be one that the
 * route documents, with documented headers and a body of the documented shape; anything else fails the test.
 */
export function createRouteCaller(
  routes: readonly Route[],
): (method: Route['method'], path: string, call?: RouteCall) => Promise<CalledReply> {
  return async (method, path, call = {}) => {
    try {
      const { route, params } = findRoute(routes, method, path);
      const isOpen = (await route.publicWhen?.(parseWith(route.params, params, 'not_found'))) === true;
      const caller = authenticate(route, call.as, isOpen);
      const asked = (body: unknown) => ({
        params: parseWith(route.params, params, 'not_found'),
        query: parseWith(route.query, call.query ?? {}, 'schema_violation'),
        body,
        caller,
        header: (name: string) => call.headers?.[name],
        clientKey: () => call.from ?? '192.0.2.1',
        requestId: 'request-1',
      });
      const { upload } = route;
      const isEmptyTaken = call.file !== undefined || route.bodyOptional === true;
      const body: unknown = call.body ?? (isEmptyTaken ? {} : undefined);
      const reply = await (call.file === undefined || upload === undefined
        ? route.handle(asked(parseWith(route.body, body, 'schema_violation')))
        : upload.handle(asked(parseWith(upload.metadata, body, 'schema_violation')), call.file));
      return readReply(route, reply);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { status } = PROBLEM_TABLE[error.code];
      const { route } = findRoute(routes, method, path);
      // The edge would give it the form that the route has for errors.
      const contentType = route.problemForm?.contentTypes[0];
      assertDocumented(route, {
        status,
        ...asProblem(error, status),
        ...(contentType === undefined ? {} : { contentType }),
      });
      return { status, code: error.code, detail: error.message, errors: error.errors };
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

function authenticate(route: Route, caller: Caller | undefined, isOpen: boolean): Caller | null {
  if (route.access === 'public') return null;
  if (caller === undefined && isOpen) return null;
  if (caller === undefined) throw new ServiceError('unauthenticated', 'a bearer token is required');
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
  assertDocumented(route, { contentType: 'application/json', ...reply });
  const isJson = route.responses[reply.status]?.schema !== undefined;
  if (!isJson || typeof reply.body !== 'string') return reply;
  const body: unknown = JSON.parse(reply.body);
  return { ...reply, body };
}

/** The content of the answer that the edge would make of an error. */
function asProblem({ code, message, errors }: ServiceError, status: number) {
  const { title } = PROBLEM_TABLE[code];
  const body = { type: problemType(code), title, status, detail: message, code, errors, request_id: 'request-1' };
  return { contentType: 'application/problem+json', body };
}

function assertDocumented(route: Route, reply: CheckedReply): void {
  const fault = findUndocumented(route, reply);
  if (fault !== undefined) throw new Error(`an undocumented reply: ${fault}`);
}
