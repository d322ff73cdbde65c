import { createServer } from 'node:http';
import type { HostDescription } from '@answer-evidence/contracts';

/** An answer of the fake host. A body that is no string is sent as JSON; `bodyFor` makes it from the request. */
export type FakeReply = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly bodyFor?: (request: SeenRequest) => unknown;
};

/** A request that the fake host has seen. */
export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Code and words of why texts are read. */
  readonly reason: readonly (string | undefined)[];
  readonly body: string;
};

/** Answers by method and path, such as `GET /api/whoami`; a list is used up, one answer a request. */
export type FakeRoutes = Readonly<Record<string, FakeReply | readonly FakeReply[]>>;

/** A host over real HTTP on this machine. */
type FakeHost = {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Requests but for the question what the host is. */
  calls(): readonly SeenRequest[];
  close(): Promise<void>;
};

const WORKSPACE_HOST: HostDescription = {
  kind: 'workspace-api',
  version: '2026-07-31',
  workspace: { slug: 'demo', display_name: 'Demo' },
};

/** Opens a host that answers with these routes, and with 404 to all else. */
export async function openFakeHost(routes: FakeRoutes, host: FakeReply = { body: WORKSPACE_HOST }): Promise<FakeHost> {
  const seen: SeenRequest[] = [];
  const counts = new Map<string, number>();
  const findReply = (route: string): FakeReply => {
    if (route === 'GET /.well-known/answer-evidence') return host;
    const replies = routes[route];
    if (replies === undefined) return { status: 404, body: fakeProblem(404, 'not_found', 'no such thing') };
    if (!isList(replies)) return replies;
    const count = counts.get(route) ?? 0;
    counts.set(route, count + 1);
    return replies[count] ?? { status: 500 };
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, search } = new URL(request.url ?? '/', 'http://fake');
      const method = request.method ?? '';
      const body = Buffer.concat(chunks).toString();
      const { authorization, 'content-type': contentType } = request.headers;
      const idempotencyKey = request.headers['idempotency-key']?.toString();
      const reason = ['service-reason-code', 'service-reason'].map((name) => request.headers[name]?.toString());
      const sent = { method, path: pathname, query: search, authorization, contentType, idempotencyKey, reason, body };
      seen.push(sent);
      const reply = findReply(`${method} ${pathname}`);
      response.writeHead(reply.status ?? 200, { connection: 'close', ...reply.headers });
      const content = reply.bodyFor?.(sent) ?? reply.body;
      response.end(typeof content === 'string' ? content : JSON.stringify(content ?? null));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the fake host has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    calls: () => seen.filter((request) => request.path !== '/.well-known/answer-evidence'),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The body of an error answer. */
export function fakeProblem(status: number, code: string, detail: string, pointer?: string): unknown {
  const errors = pointer === undefined ? [] : [{ pointer, detail: 'is wrong' }];
  return {
    type: `urn:answer-evidence:problem:${code}`,
    title: code,
    status,
    detail,
    code,
    errors,
    request_id: 'req-1',
  };
}

function isList(replies: FakeReply | readonly FakeReply[]): replies is readonly FakeReply[] {
  return Array.isArray(replies);
}
