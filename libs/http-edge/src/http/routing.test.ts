import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Route } from '@answer-evidence/routes';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { echoRoute, ID, replyRoute } from '../fixtures/routes.ts';
import { sendRaw } from '../fixtures/send-raw.ts';
import { sortRoutes } from './sort-routes.ts';

const things = replyRoute('/things', { status: 200, body: '"things"' });
const thing = replyRoute('/things/{id}', { status: 200, body: '"thing"' });
const newest = replyRoute('/things/newest', { status: 200, body: '"newest"' });
const parts = replyRoute('/things/{id}/parts', { status: 200, body: '"parts"' });
const newestParts = replyRoute('/things/newest/parts', { status: 200, body: '"newest parts"' });
const removal: Route = { ...thing, method: 'DELETE', operationId: 'deleteThing' };
const all = [thing, parts, removal, things, newestParts, newest];
let edge: OpenEdge;

beforeAll(async () => {
  edge = await openEdge([...all, echoRoute]);
});
afterAll(() => edge.close());

describe('routing', () => {
  it.each([
    ['/things', '"things"'],
    ['/things/newest', '"newest"'],
    [`/things/${ID}`, '"thing"'],
    ['/things/newest/parts', '"newest parts"'],
    [`/things/${ID}/parts`, '"parts"'],
    ['/things?', '"things"'],
  ])('%s is answered by its own route', async (path, body) => {
    expect(await (await edge.send(path)).text()).toBe(body);
  });

  it('tries a fixed segment before a parameter, whatever order the routes came in', () => {
    const order = (routes: readonly Route[]) => sortRoutes(routes).map(({ path }) => path);
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        const paths = order(shuffled);
        expect(paths.indexOf('/things/newest')).toBeLessThan(paths.indexOf('/things/{id}'));
        expect(paths.indexOf('/things/newest/parts')).toBeLessThan(paths.indexOf('/things/{id}/parts'));
        expect(new Set(paths).size).toBe(5);
      }),
    );
  });

  it.each(['/', '/nothing', '/things/', '/Things', `/things/${ID}/`, '//things', '/things/newest/parts/x'])(
    'nothing is at %s',
    async (path) => {
      const response = await edge.send(path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'not_found' });
    },
  );

  it.each([
    '/things/no-uuid',
    `/things/${ID.toUpperCase()}`,
    '/things/%2e%2e%2f',
    '/things/%6eewest',
    '/things/__proto__',
  ])('an id that is not one, as in %s, is 404', async (path) => {
    expect((await edge.send(path)).status).toBe(404);
  });

  it.each([
    ['/things/%zzmarker', '{id}'],
    ['/things/%', '{id}'],
    ['/things/%FFmarker', '{id}'],
    ['/things/%c3%28', '{id}'],
    ['/things/%ed%a0%80/parts', '{id}'],
  ])('a percent-encoding in the path that is no UTF-8, as in %s, is 400 at %s', async (path, pointer) => {
    const response = await edge.send(path);
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      code: 'malformed_request',
      detail: expect.stringContaining('not UTF-8'),
      errors: [{ pointer }],
    });
    expect(text).not.toContain('marker');
  });

  it.each([
    ['POST', '/things', 'GET, HEAD, OPTIONS'],
    ['PUT', `/things/${ID}`, 'DELETE, GET, HEAD, OPTIONS'],
    ['HEAD', '/echo', 'OPTIONS, POST'],
    ['DELETE', '/echo', 'OPTIONS, POST'],
  ])('%s %s is 405 and says what the path takes', async (method, path, allow) => {
    const response = await edge.send(path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
  });

  it.each([
    ['/things/newest', 'GET, HEAD, OPTIONS'],
    [`/things/${ID}`, 'DELETE, GET, HEAD, OPTIONS'],
    ['/things/anything', 'DELETE, GET, HEAD, OPTIONS'],
    ['/echo?a=1', 'OPTIONS, POST'],
    ['*', 'OPTIONS'],
  ])('OPTIONS %s is 204 for anybody and says what the path takes', async (path, allow) => {
    const reply = await sendRaw(edge.port, `OPTIONS ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 204 .*\r\n(.+\r\n)+\r\n$/);
    expect(reply).toContain(`Allow: ${allow}\r\n`);
    expect(reply).not.toMatch(/content-(length|type):|access-control|vary/i);
  });

  it('OPTIONS of a path that is not there is 404, and any other method of * is refused', async () => {
    expect((await edge.send('/nothing', { method: 'OPTIONS' })).status).toBe(404);
    const head = 'GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(edge.port, head)).toMatch(/^HTTP\/1\.1 405 [^]*Allow: OPTIONS/);
  });

  it.each(
    ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'].flatMap((method) =>
      ['/things', '/things?', '/things?a=1', '/things/newest', '/echo'].map((path) => [method, path] as const),
    ),
  )('%s %s is answered alike when it names the host as well, which goes by Express', async (method, path) => {
    const reply = async (target: string) => {
      const head = `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer manager\r\nConnection: close\r\n\r\n`;
      return (await sendRaw(edge.port, head)).replace(/X-Request-Id: \S+|Date: .*|"request_id":"[^"]*"/g, '');
    };
    const [direct, byExpress] = [await reply(path), await reply(`http://x${path}`)];
    expect(direct).toMatch(/^HTTP\/1\.1 \d{3} /);
    expect(byExpress).toBe(direct);
  });

  it.each(['GET', 'OPTIONS'])(
    '%s of a target that is no URL is 404, and its request is counted and logged',
    async (method) => {
      const own = await openEdge(all);
      const head = `${method} http://[x/marker HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const reply = await sendRaw(own.port, head);
      expect(reply).toMatch(/^HTTP\/1\.1 404 [^]*"code":"not_found"/);
      expect(await own.logs.find('"status":404')).toContain('"route":"unmatched"');
      expect(reply + own.logs.all()).not.toContain('marker');
      expect(own.requestsInFlight()).toBe(0);
      await own.close();
    },
  );

  it('tries the rest of a path last', () => {
    const paths = ['/t/{w}/{+rest}', '/t/{w}/{id}/x', '/t/{w}/{id}', '/t/{w}/y', '/t/z/{+rest}'];
    const routes = paths.map((path, i): Route => ({ ...thing, path, operationId: `op${i}` }));
    const expected = ['/t/z/{+rest}', '/t/{w}/y', '/t/{w}/{id}', '/t/{w}/{id}/x', '/t/{w}/{+rest}'];
    expect(sortRoutes(routes).map(({ path }) => path)).toEqual(expected);
  });

  it('two routes of one method and path, one operation id or one shape cannot be mounted together', () => {
    const again: Route = { ...thing, operationId: 'again' };
    expect(() => sortRoutes([thing, again])).toThrow('two routes have GET /things/{id}');
    expect(() => sortRoutes([thing, { ...parts, operationId: thing.operationId }])).toThrow('operation id');
    expect(() => sortRoutes([thing, { ...again, path: '/things/{other}' }])).toThrow('are the same path');
  });

  it.each([
    ['without a Host', 'X-A: a'],
    ['with two Hosts', 'Host: a\r\nhost: b'],
    ['with one Host twice', 'Host: a\r\nHost: a'],
  ])('an HTTP/1.1 request %s is 400 with the headers of every reply', async (_, hosts) => {
    const authorization = 'Authorization: Bearer manager';
    const head = `GET /things HTTP/1.1\r\n${hosts}\r\n${authorization}\r\nConnection: close\r\n\r\n`;
    const reply = await sendRaw(edge.port, head);
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toContain('Service-Version: 2026-07-31');
    expect(reply).toContain('"code":"malformed_request"');
  });

  it.each([
    ['chunked in HTTP/1.0', '1.0', 'chunked'],
    ['chunked in HTTP/1.0, on a connection to be kept', '1.0', 'chunked\r\nConnection: keep-alive'],
    ['compressed in HTTP/1.1', '1.1', 'gzip, chunked'],
    ['chunked twice', '1.1', 'chunked, chunked'],
  ])('a body that is %s is 400 malformed_request, or no HTTP', async (_, version, coding) => {
    const head = `POST /things HTTP/${version}\r\nHost: a\r\nAuthorization: Bearer manager\r\nTransfer-Encoding: ${coding}`;
    const reply = await sendRaw(edge.port, `${head}\r\n\r\n2\r\n{}\r\n0\r\n\r\nGET`);
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('CONNECT is 501, since the service is no proxy', async () => {
    expect(await sendRaw(edge.port, 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/^HTTP\/1\.1 501 /);
  });
});

describe('Service-Version', () => {
  it('is optional, and the supported one is fine', async () => {
    expect((await edge.send('/things', { headers: { 'service-version': '2026-07-31' } })).status).toBe(200);
  });

  it.each(['2026-08-01', '2026-07-31, 2026-07-31', 'latest', ''])(
    '"%s" is 422, which names the supported ones, before anything else is looked at',
    async (version) => {
      for (const path of ['/things', '/nothing']) {
        const headers = { 'service-version': version, authorization: 'Bearer nobody' };
        const response = await edge.send(path, { headers });
        expect(response.status).toBe(422);
        expect(response.headers.get('service-version')).toBe('2026-07-31');
        const body: unknown = await response.json();
        expect(body).toMatchObject({ code: 'version_not_supported', detail: expect.stringContaining('2026-07-31') });
        expect(JSON.stringify(body)).not.toContain('2026-08-01');
      }
    },
  );
});
