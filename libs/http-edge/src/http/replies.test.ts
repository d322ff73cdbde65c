import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { failingRoute, ID, replyRoute } from '../fixtures/routes.ts';
import { sendRaw } from '../fixtures/send-raw.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
let edge: OpenEdge;

beforeAll(async () => {
  edge = await openEdge([
    replyRoute('/text', { status: 200, body: '{"a":  1,"ü":"é"}' }),
    replyRoute('/object', { status: 201, body: { a: [1, null] }, headers: { 'Idempotency-Replayed': 'true' } }),
    replyRoute('/bytes', { status: 200, body: Uint8Array.of(0, 255, 10), contentType: 'application/octet-stream' }),
    replyRoute('/csv', { status: 200, body: 'a,b\r\n', contentType: 'text/csv; charset=utf-8' }),
    replyRoute('/cached', { status: 200, body: {}, headers: { 'cache-control': 'public, max-age=60' } }),
    replyRoute('/none', { status: 204 }),
    replyRoute('/empty', { status: 200 }),
    replyRoute('/split', { status: 200, headers: { 'X-A': 'a\r\nX-B: b' } }),
    replyRoute('/thing/{id}', { status: 200, body: {} }),
    failingRoute('/unavailable', () => {
      throw new ServiceError('ledger_unavailable', 'the ledger does not answer');
    }),
    failingRoute('/bug', () => {
      throw new TypeError('a secret of the caller');
    }),
  ]);
});
afterAll(() => edge.close());

describe('a reply', () => {
  it.each(['/text', '/none', '/missing', '/bug', '/unavailable', '/split', '/thing/x', '/text?unknown=1'])(
    'to %s names the version and its request and may be neither stored nor sniffed',
    async (path) => {
      const { headers } = await edge.send(path);
      expect(headers.get('service-version')).toBe('2026-07-31');
      expect(headers.get('x-request-id')).toMatch(UUID_V7);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('etag')).toBeNull();
    },
  );

  it('binds browsers to HTTPS where that is asked for, and never at localhost', async () => {
    const bound = await openEdge([replyRoute('/text', { status: 200, body: 'x' })], { transportSecurity: 'max-age=5' });
    const policyAt = async (port: number, host: string, path: string) => {
      const reply = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      return /^strict-transport-security: (.*)\r$/im.exec(reply)?.[1];
    };
    for (const path of ['/text', '/missing', '/console/', '*']) {
      expect([path, await policyAt(bound.port, 'audit.example.com', path)]).toEqual([path, 'max-age=5']);
      expect(await policyAt(edge.port, 'audit.example.com', path)).toBeUndefined();
    }
    for (const host of ['localhost', 'LOCALHOST:8443', 'acme.localhost', 'acme.localhost:80'])
      expect(await policyAt(bound.port, host, '/text')).toBeUndefined();
    expect(await policyAt(bound.port, 'localhost.example.com', '/text')).toBe('max-age=5');
    await bound.close();
  });

  it('never repeats a request id, and takes none from the caller', async () => {
    const init = { headers: { 'x-request-id': 'mine' } };
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await edge.send('/text', init)).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(20);
    expect(ids).not.toContain('mine');
  });

  it('of JSON text is that text, byte for byte, with its length', async () => {
    const response = await edge.send('/text');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('content-length')).toBe('19');
    expect(await response.text()).toBe('{"a":  1,"ü":"é"}');
  });

  it('of a value is its JSON, with the status and headers of the handler', async () => {
    const response = await edge.send('/object');
    expect(response.status).toBe(201);
    expect(response.headers.get('idempotency-replayed')).toBe('true');
    expect(await response.text()).toBe('{"a":[1,null]}');
  });

  it('of bytes or other text keeps both bytes and type', async () => {
    const bytes = await edge.send('/bytes');
    expect(bytes.headers.get('content-type')).toBe('application/octet-stream');
    expect([...new Uint8Array(await bytes.arrayBuffer())]).toEqual([0, 255, 10]);
    const csv = await edge.send('/csv');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await csv.text()).toBe('a,b\r\n');
  });

  it('lets a handler allow storing', async () => {
    expect((await edge.send('/cached')).headers.get('cache-control')).toBe('public, max-age=60');
  });

  it('without content has no content type', async () => {
    const none = await edge.send('/none');
    expect([none.status, none.headers.get('content-length'), none.headers.get('content-type')]).toEqual([
      204,
      null,
      null,
    ]);
    expect((await edge.send('/empty')).headers.get('content-length')).toBe('0');
  });

  it('to HEAD is that to GET without its body', async () => {
    const request = 'HEAD /text HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer manager\r\nConnection: close\r\n\r\n';
    const reply = await sendRaw(edge.port, request);
    expect(reply).toContain('HTTP/1.1 200 OK');
    expect(reply).toContain('Content-Length: 19');
    expect(reply.endsWith('\r\n\r\n')).toBe(true);
  });

  it('never carries a header that a value smuggled in', async () => {
    const response = await edge.send('/split');
    expect(response.status).toBe(500);
    expect(response.headers.get('x-b')).toBeNull();
  });
});

describe('an error reply', () => {
  it('is a problem that names its request', async () => {
    const response = await edge.send(`/thing/${ID}?a=1`);
    expect(response.status).toBe(422);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toEqual({
      type: 'urn:answer-evidence:problem:schema_violation',
      title: 'The request is invalid',
      status: 422,
      detail: 'The query is invalid at ?a: is an unknown parameter; leave it out, since this place takes none.',
      code: 'schema_violation',
      errors: [{ pointer: '?a', detail: 'is an unknown parameter; leave it out, since this place takes none' }],
      request_id: response.headers.get('x-request-id'),
    });
  });

  it('says when to come back', async () => {
    const response = await edge.send('/unavailable');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('for a fault of the service tells nothing of it', async () => {
    const response = await edge.send('/bug');
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).toContain('"code":"internal"');
    expect(text).not.toContain('secret of the caller');
  });
});
