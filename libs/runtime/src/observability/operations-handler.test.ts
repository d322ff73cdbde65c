import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Counter } from 'prom-client';
import { type OpenServer, openServer } from '@answer-evidence/http-edge';
import { createMetrics } from './metrics.ts';
import { createOperationsHandler, type Readiness } from './operations-handler.ts';
import { createQueueBoardPages } from './queue-board.ts';

const metrics = createMetrics({ lostLines: () => 0 });
let readiness: () => Promise<Readiness> = () => Promise.resolve({ ok: true, failing: [] });
let server: OpenServer;

beforeAll(async () => {
  const handler = createOperationsHandler({ metrics, readiness: () => readiness() });
  server = await openServer({ handler, host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());

function get(path: string, init?: RequestInit): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}${path}`, init);
}

describe('the operations port', () => {
  it('says that the process lives, also when it is not ready', async () => {
    readiness = () => Promise.reject(new Error('down'));
    expect((await get('/livez')).status).toBe(200);
  });

  it('says what is not ready', async () => {
    readiness = () => Promise.resolve({ ok: false, failing: ['postgres'] });
    const response = await get('/readyz');
    expect([response.status, await response.json()]).toEqual([503, { ok: false, failing: ['postgres'] }]);
    readiness = () => Promise.resolve({ ok: true, failing: [] });
    expect((await get('/readyz?x')).status).toBe(200);
  });

  it('is ready with folders that are short of space or silent, and says so', async () => {
    const space = { folders: ['data', 'heads'], path: '/data', freeBytes: 5, lowBytes: 10, text: 'nearly full' };
    readiness = () => Promise.resolve({ ok: true, failing: [], shortFolders: [space], silentFolders: ['evidence'] });
    const response = await get('/readyz');
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        ok: true,
        failing: [],
        short_folders: [
          { folders: ['data', 'heads'], path: '/data', free_bytes: 5, low_bytes: 10, warning: 'nearly full' },
        ],
        silent_folders: ['evidence'],
      },
    ]);
    readiness = () => Promise.resolve({ ok: true, failing: [], shortFolders: [], silentFolders: [] });
    expect(await (await get('/readyz')).json()).toEqual({ ok: true, failing: [] });
  });

  it('is not ready when that cannot be told', async () => {
    readiness = () => Promise.reject(new Error('marker'));
    const response = await get('/readyz');
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('marker');
  });

  it('shows metrics of requests, of the process, and what others registered', async () => {
    const counter = new Counter({ name: 'batches_total', help: 'Batches.', registers: [metrics.registry] });
    counter.inc(3);
    metrics.http.requestStarted();
    metrics.http.requestStarted();
    metrics.http.requestEnded('/things/{id}', 'GET', 200, 0.003);
    metrics.http.damageFound('/things/{id}');
    const response = await get('/metrics');
    expect(response.headers.get('content-type')).toContain('text/plain');
    const text = await response.text();
    expect(text).toMatch(/^batches_total 3$/m);
    expect(text).toMatch(/^http_requests_in_flight 1$/m);
    expect(text).toContain('http_request_duration_seconds_count{route="/things/{id}",method="GET",status="200"} 1');
    expect(text).toContain('damaged_reads_total{route="/things/{id}"} 1');
    expect(text).toMatch(/^process_cpu_seconds_total /m);
  });

  describe('with a queue board', () => {
    const token = 'board-token-'.repeat(3);
    const pages = createQueueBoardPages(() => token);
    let withBoard: OpenServer;
    const ask = (authorization?: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${withBoard.port}/queues/api?a=b`, {
        ...init,
        ...(authorization === undefined ? {} : { headers: { Authorization: authorization } }),
      });

    beforeAll(async () => {
      const handler = createOperationsHandler({ metrics, readiness: () => readiness(), board: pages });
      withBoard = await openServer({ handler, host: '127.0.0.1', port: 0 });
    });
    afterAll(() => withBoard.close());

    it('shows it to those who have its token, as a password or a bearer token, and to nobody else', async () => {
      const basic = (password: string) => `Basic ${btoa(`operator:${password}`)}`;
      expect((await ask(`Bearer ${token}`)).status).toBe(503);
      pages?.show({
        openBoard: () =>
          Promise.resolve({
            get: (path, query) =>
              Promise.resolve({ status: 200, type: 'text/plain', body: `${path} ${query.get('a')}` }),
          }),
      });
      for (const authorization of [`Bearer ${token}`, basic(token)]) {
        const response = await ask(authorization);
        expect([response.status, await response.text()]).toEqual([200, '/api b']);
      }
      for (const authorization of [undefined, '', 'Bearer x', basic('x'), `Bearer ${token}x`, 'Basic %', 'Bearer']) {
        const response = await ask(authorization);
        expect([authorization, response.status]).toEqual([authorization, 401]);
        expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
      }
    });

    it('lets nobody change anything by it', async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        expect((await ask(`Bearer ${token}`, { method })).status).toBe(405);
    });
  });

  it('has nothing else, and is only read', async () => {
    expect((await get('/')).status).toBe(404);
    expect((await get('/queues/')).status).toBe(404);
    expect((await get('/livez', { method: 'POST' })).status).toBe(405);
    const head = await get('/livez', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});
