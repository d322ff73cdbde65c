import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Route } from '@answer-evidence/routes';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { echoRoute, replyRoute } from '../fixtures/routes.ts';
import { parseRateLimits } from '../rate-limits/parse-rate-limits.ts';
import { parseCorsOrigins } from './cross-origin.ts';

const CONSOLE = 'https://console.example.com';
const LOCAL = 'http://localhost:5173';
const things = replyRoute('/things', { status: 200, body: 'x'.repeat(2_000), headers: { ETag: 'W/"a"' } });
const create: Route = { ...echoRoute, path: '/things', operationId: 'createThing' };
const otlp: Route = { ...echoRoute, path: '/otlp', operationId: 'postOtlp', crossOrigin: true };
const routes = [things, create, otlp, { ...echoRoute, path: '/login', operationId: 'login' }];

let edge: OpenEdge;
let closed: OpenEdge;
beforeAll(async () => {
  edge = await openEdge(routes, {
    origins: parseCorsOrigins(`${CONSOLE}, ${LOCAL}`),
    limits: { ...parseRateLimits('off'), default: { count: 3, windowSeconds: 3_600 } },
  });
  closed = await openEdge(routes);
});
afterAll(() => Promise.all([edge.close(), closed.close()]));

function corsOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary'));
}

function preflight(path: string, method: string, origin = CONSOLE, on = edge): Promise<Response> {
  const asked = { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' };
  return on.send(path, { method: 'OPTIONS', headers: asked });
}

describe('a preflight', () => {
  it.each([
    ['/things', 'GET', 'GET, HEAD'],
    ['/things', 'HEAD', 'GET, HEAD'],
    ['/otlp', 'POST', 'POST'],
  ])('of %s %s is answered, without counting', async (path, method, methods) => {
    for (const origin of [CONSOLE, LOCAL, CONSOLE, LOCAL]) {
      const reply = await preflight(path, method, origin);
      expect(reply.status).toBe(204);
      expect(corsOf(reply)).toEqual({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': methods,
        'access-control-allow-headers': expect.stringMatching(/Authorization.*Content-Type.*Service-Version/),
        'access-control-expose-headers': expect.any(String),
        'access-control-max-age': '600',
        vary: 'Origin',
      });
    }
  });

  it.each([
    ['/things', 'POST', CONSOLE],
    ['/things', 'DELETE', CONSOLE],
    ['/login', 'POST', CONSOLE],
    ['/otlp', 'GET', CONSOLE],
    ['/things', 'GET', 'https://console.example.com:8443'],
    ['/things', 'GET', 'http://console.example.com'],
    ['/things', 'GET', 'https://evil.console.example.com'],
    ['/things', 'GET', 'null'],
    ['/things', 'GET', '*'],
  ])('of %s %s from %s permits nothing', async (path, method, origin) => {
    const reply = await preflight(path, method, origin);
    expect([reply.status, reply.headers.get('vary')]).toEqual([204, 'Origin']);
    expect(reply.headers.get('allow')).toContain('OPTIONS');
    expect(Object.keys(corsOf(reply)).filter((name) => /-allow-(methods|headers)/.test(name))).toEqual([]);
    if (origin !== CONSOLE) expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('of a path that is not there is 404', async () => {
    expect((await preflight('/nothing', 'GET')).status).toBe(404);
  });

  it('permits nothing where no origin is listed', async () => {
    const reply = await preflight('/things', 'GET', CONSOLE, closed);
    expect([reply.status, corsOf(reply)]).toEqual([204, {}]);
  });
});

describe('a reply', () => {
  const from = (path: string, origin: string | undefined, init: RequestInit = {}) =>
    edge.send(path, { ...init, headers: { ...(origin === undefined ? {} : { origin }), ...init.headers } });

  it('can be read by a page of a listed origin, errors too, with the headers that say what to do', async () => {
    const replies = [
      await from('/things', CONSOLE),
      await from('/things', CONSOLE, { headers: { 'if-none-match': '*' } }),
      await from('/things?x=1', CONSOLE),
      await from('/things', CONSOLE),
      await from('/things', CONSOLE, { headers: { authorization: 'Bearer nobody' } }),
      await from('/things', CONSOLE, { method: 'DELETE' }),
      await from('/things', CONSOLE, { headers: { 'service-version': 'none' } }),
      await from('/nothing', CONSOLE),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 304, 422, 429, 401, 405, 422, 404]);
    for (const reply of replies) {
      expect(reply.headers.get('access-control-allow-origin')).toBe(CONSOLE);
      expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
      const exposed = reply.headers.get('access-control-expose-headers') ?? '';
      for (const name of ['ETag', 'Link', 'Location', 'RateLimit', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'])
        expect(exposed.split(', ')).toContain(name);
      expect(reply.headers.get('vary')).toMatch(/Origin$/);
    }
    expect(replies.slice(0, 2).map(({ headers }) => headers.get('vary'))).toEqual(
      Array(2).fill('Accept-Encoding, Origin'),
    );
  });

  it.each([undefined, 'https://evil.example', 'null', `${CONSOLE}/`])(
    'to %s names no origin, and that it could have',
    async (origin) => {
      const reply = await from('/nothing', origin);
      expect(corsOf(reply)).toEqual({ vary: 'Origin' });
    },
  );
});
