import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Counter } from 'prom-client';
import { type OpenServer, openServer } from '@answer-evidence/http-edge';
import { createMetrics } from './metrics.ts';
import { createOperationsHandler, type Readiness } from './operations-handler.ts';

const metrics = createMetrics();
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
    const response = await get('/metrics');
    expect(response.headers.get('content-type')).toContain('text/plain');
    const text = await response.text();
    expect(text).toMatch(/^batches_total 3$/m);
    expect(text).toMatch(/^http_requests_in_flight 1$/m);
    expect(text).toContain('http_request_duration_seconds_count{route="/things/{id}",method="GET",status="200"} 1');
    expect(text).toMatch(/^process_cpu_seconds_total /m);
  });

  it('has nothing else, and is only read', async () => {
    expect((await get('/')).status).toBe(404);
    expect((await get('/livez', { method: 'POST' })).status).toBe(405);
    const head = await get('/livez', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});
