import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createByteBudget } from '@answer-evidence/routes';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { echoRoute, replyRoute } from '../fixtures/routes.ts';
import { openRaw, sendRaw } from '../fixtures/send-raw.ts';

let edge: OpenEdge;
beforeAll(async () => {
  edge = await openEdge([echoRoute, replyRoute('/plain', { status: 200, body: {} })], {
    timeouts: { headersMs: 150, requestMs: 300, checkMs: 25 },
  });
});
afterAll(() => edge.close());

function head(headers: string, token = 'manager'): string {
  return `POST /echo HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`;
}

describe('a body over the limit', () => {
  it('is refused by its announced length, before any of it came', async () => {
    const raw = await openRaw(edge.port);
    raw.socket.write(head('Content-Length: 1001'));
    const reply = await raw.receive('"code":"body_too_large"');
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(reply).toContain('Connection: close');
    expect(reply).toContain('Service-Version: 2026-07-31');
    raw.socket.destroy();
  });

  it('is refused while it comes in chunks, without waiting for the end', async () => {
    const raw = await openRaw(edge.port);
    raw.socket.write(head('Transfer-Encoding: chunked') + '200\r\n' + ' '.repeat(512) + '\r\n');
    raw.socket.write('200\r\n' + ' '.repeat(512) + '\r\n');
    const reply = await raw.receive('"code":"body_too_large"');
    expect(reply).toContain('Connection: close');
    raw.socket.destroy();
  });

  it('in whole chunks is refused and the connection closed', async () => {
    const chunk = '5dc\r\n' + ' '.repeat(1500) + '\r\n0\r\n\r\n';
    const reply = await sendRaw(edge.port, head('Transfer-Encoding: chunked') + chunk);
    expect(reply).toMatch(/^HTTP\/1\.1 413 [^]*Connection: close/);
  });

  it('is refused so that a caller who sends on still reads why', async () => {
    for (const body of ['x'.repeat(3_000_000), new Blob(['x'.repeat(3_000_000)]).stream()]) {
      const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'application/json' } };
      const response = await edge.send('/echo', init);
      expect([response.status, await response.json()]).toMatchObject([413, { code: 'body_too_large' }]);
    }
  });

  it.each([
    ['too long', '', 'body_too_large'],
    ['not admitted', 'nobody', 'unauthenticated'],
  ])(
    'that is %s ends the connection in order, so that what was sent meanwhile breaks nothing',
    async (_, token, code) => {
      const raw = await openRaw(edge.port);
      raw.socket.write(head('Content-Length: 4000000', token === '' ? 'manager' : token));
      const reply = await raw.receive(`"code":"${code}"`);
      expect(reply).toContain('Connection: close');
      for (let sent = 0; sent < 4_000_000; sent += 100_000) raw.socket.write(' '.repeat(100_000));
      await raw.toEnd();
      expect(raw.isBroken()).toBe(false);
    },
  );

  it('is not read for ever: an endless one is cut', async () => {
    const raw = await openRaw(edge.port);
    raw.socket.write(head('Transfer-Encoding: chunked', 'nobody'));
    await raw.receive('"code":"unauthenticated"');
    while (!raw.socket.closed && raw.socket.bytesWritten < 64_000_000) {
      const goesOn = raw.socket.write('10000\r\n' + ' '.repeat(0x10000) + '\r\n');
      if (!goesOn) await Promise.race([once(raw.socket, 'drain'), once(raw.socket, 'close')]).catch(() => undefined);
    }
    await raw.toEnd();
    expect(raw.socket.bytesWritten).toBeLessThan(64_000_000);
  });

  it('does not exist at the limit itself, announced or in chunks', async () => {
    const body = `{"name":"a"}${' '.repeat(988)}`;
    expect((await edge.post('/echo', body)).status).toBe(200);
    expect((await edge.post('/echo', body + ' ')).status).toBe(413);
    const chunked = `3e8\r\n${body}\r\n0\r\n\r\n`;
    const reply = await sendRaw(edge.port, head('Transfer-Encoding: chunked\r\nConnection: close') + chunked);
    expect(reply).toMatch(/^HTTP\/1\.1 200 /);
    const over = `3e9\r\n${body} \r\n0\r\n\r\n`;
    expect(await sendRaw(edge.port, head('Transfer-Encoding: chunked') + over)).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('large bodies in hand together', () => {
  it('take memory as they come and not as they announce, and beyond the budget get 503 until there is room', async () => {
    const bodyBudget = createByteBudget(300_000);
    const own = await openEdge([{ ...echoRoute, bodyBytesMax: 1_000_000 }], { bodyBudget });
    const padded = (size: number) => `{"name":"a"}${' '.repeat(size - 12)}`;
    const status = async (size: number) => (await own.post('/echo', padded(size))).status;
    const idle = await openRaw(own.port);
    idle.socket.write(head('Content-Length: 900000') + ' ');
    const slow = await openRaw(own.port);
    slow.socket.write(head('Content-Length: 900000') + ' '.repeat(200_000));
    while (bodyBudget.takenBytes < 100_000) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await status(250_000)).toBe(503);
    expect(await status(60_000)).toBe(200);
    slow.socket.destroy();
    await own.logs.find('"status":499');
    expect(await status(250_000)).toBe(200);
    idle.socket.destroy();
    await own.close();
    expect(bodyBudget.takenBytes).toBe(0);
  });
});

describe('a caller who asks before sending', () => {
  it('is told to go on only when admitted', async () => {
    const raw = await openRaw(edge.port);
    raw.socket.write(head('Content-Length: 12\r\nConnection: close\r\nExpect: 100-continue'));
    await raw.receive('HTTP/1.1 100 Continue');
    raw.socket.write('{"name":"a"}');
    expect(await raw.toEnd()).toContain('HTTP/1.1 200 OK');

    const refused = await openRaw(edge.port);
    refused.socket.write(head('Content-Length: 12\r\nExpect: 100-continue', 'nobody'));
    const reply = await refused.receive('"code":"unauthenticated"');
    expect(reply).not.toContain('100 Continue');
    expect(reply).toContain('Connection: close');
    refused.socket.destroy();
  });
});

describe('an upload that never ends', () => {
  it('is cut after the request timeout, and is nobody’s error', async () => {
    const raw = await openRaw(edge.port);
    raw.socket.write(head('Content-Length: 12') + '{"na');
    const reply = await raw.toEnd();
    expect(reply).toMatch(/^HTTP\/1\.1 408 [^]*Service-Version: 2026-07-31/);
    expect(await edge.logs.find('"status":499')).toContain('"level":"info"');
  });

  it('of headers is cut after the headers timeout', async () => {
    expect(await sendRaw(edge.port, 'GET /plain HTTP/1.1\r\nHost: a\r\nX-Slow: ')).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('because its caller left is no error log either, and the next request is served', async () => {
    const own = await openEdge([echoRoute]);
    const raw = await openRaw(own.port);
    raw.socket.write(head('Content-Length: 12\r\nExpect: 100-continue'));
    await raw.receive('100 Continue');
    raw.socket.resetAndDestroy();
    const line = await own.logs.find('"status":499');
    expect(line).toContain('"level":"info"');
    expect((await own.post('/echo', '{}')).status).toBe(200);
    expect(own.logs.all()).not.toContain('"level":"error"');
    expect(own.requestsInFlight()).toBe(0);
    await own.close();
  });
});

describe('a connection', () => {
  it('is kept after a refusal whose small body was not read', async () => {
    const raw = await openRaw(edge.port);
    raw.socket.write(head('Content-Length: 12', 'nobody') + '{"name":"a"}');
    const first = await raw.receive('"code":"unauthenticated"');
    expect(first).not.toContain('Connection: close');
    raw.socket.write(head('Content-Length: 12\r\nConnection: close') + '{"name":"b"}');
    expect(await raw.toEnd()).toContain('{"name":"b"}');
  });

  it.each([
    ['two lengths', head('Content-Length: 2\r\nContent-Length: 3') + '{}'],
    ['a length and chunks', head('Content-Length: 2\r\nTransfer-Encoding: chunked') + '0\r\n\r\n'],
    ['chunks that are not the last coding', head('Transfer-Encoding: chunked, gzip') + '0\r\n\r\n'],
    ['a folded header', head('X-A: a\r\n b:c\r\nContent-Length: x') + '{}'],
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['NUL in a header', head('X-A: a\0b\r\nContent-Length: 2') + '{}'],
  ])('with %s is refused as a whole', async (_, request) => {
    const reply = await sendRaw(edge.port, request);
    expect(reply).toMatch(
      /^HTTP\/1\.1 400 [^]*Service-Version: 2026-07-31[^]*\r\n\r\n\{[^\r\n]*"malformed_request"[^\r\n]*\}$/,
    );
  });

  it('with headers beyond all measure is 431', async () => {
    expect(await sendRaw(edge.port, head(`X-A: ${'a'.repeat(20_000)}`))).toMatch(/^HTTP\/1\.1 431 /);
  });
});
