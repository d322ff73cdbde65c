import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { type AddressInfo, connect as connectTcp, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { BYTES_MAX, call, callRaw, frame, METHOD, openCalls } from './fixtures/open-calls.ts';

type Calls = Awaited<ReturnType<typeof openCalls>>;

const RST_STREAM = 3;

/** The types of the frames of HTTP/2 in a row: each says its length in three bytes before its type. */
function typesOfFrames(bytes: Buffer): readonly number[] {
  const types: number[] = [];
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) types.push(bytes.readUInt8(at + 3));
  return types;
}

let calls: Calls;
afterEach(() => calls.server.close());

describe('a call', () => {
  it('gets its reply, of any size, compressed or not', async () => {
    calls = await openCalls();
    for (const size of [0, 1, 70_000, BYTES_MAX - 1_000])
      for (const compression of [0, 2]) {
        const message = randomBytes(size);
        const came = await call(calls.port, message, { compression });
        expect([came.code, came.message.equals(message)]).toEqual([0, true]);
      }
    expect(calls.bodyBudget.takenBytes).toBe(0);
  });

  it('runs beside others of its connection', async () => {
    calls = await openCalls();
    const messages = Array.from({ length: 50 }, () => randomBytes(10_000));
    const came = await Promise.all(messages.map((message) => call(calls.port, message)));
    expect(came.map(({ message }, n) => messages[n]?.equals(message))).toEqual(messages.map(() => true));
  });

  it.each([
    ['a token that nobody issued', { token: 'stranger' }, 16, 'unauthenticated'],
    ['the host of another workspace', { authority: 'other.example.com' }, 7, 'workspace_not_allowed'],
    ['a host of nobody', { authority: 'nobody.example.com' }, 5, 'not_found'],
    ['a method that there is not', { method: '/test.Echo/Import' }, 12, METHOD],
  ])('with %s is refused', async (_, options, code, words) => {
    calls = await openCalls();
    const came = await call(calls.port, Buffer.from('a'), options);
    expect(came).toMatchObject({ code, words: expect.stringContaining(words) });
  });

  it.each([
    ['may send the rest of it', 1_000, false],
    ['is reset where the rest is large', 4_000_000, true],
  ])('that is refused before its message has come %s', async (_, sizeBytes, isReset) => {
    calls = await openCalls();
    const { port } = calls;
    const sent: Buffer[] = [];
    const tap = createServer((socket) => {
      const behind = connectTcp(port, '127.0.0.1', () => socket.pipe(behind));
      behind.on('data', (bytes: Buffer) => void sent.push(bytes)).pipe(socket);
    });
    tap.listen(0, '127.0.0.1');
    await once(tap, 'listening');
    const session = connect(`http://127.0.0.1:${(tap.address() as AddressInfo).port}`);
    const stream = session.request({
      ':method': 'POST',
      ':path': METHOD,
      'content-type': 'application/grpc',
      'grpc-timeout': 'soon',
    });
    const ended = once(stream, 'close');
    const [headers] = (await once(stream, 'response')) as [Record<string, string>];
    expect(headers['grpc-status']).toBe('3');
    stream.resume().end(frame(Buffer.alloc(sizeBytes)));
    await ended;
    await new Promise<void>((resolve) => session.close(resolve));
    await new Promise((resolve) => tap.close(resolve));
    expect([stream.rstCode, typesOfFrames(Buffer.concat(sent)).includes(RST_STREAM)]).toEqual([0, isReset]);
  });

  it('that no method has, or whose headers are wrong, is counted and logged without its name', async () => {
    calls = await openCalls();
    await call(calls.port, Buffer.from('a'), { method: '/secret.Metrics/Export' });
    await callRaw(calls.port, { headers: { 'grpc-timeout': 'soon' }, body: frame(Buffer.from('a')) });
    await callRaw(calls.port, { headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') });
    await call(calls.port, Buffer.from('a'));
    expect(calls.counted).toEqual(['unmatched 404', 'unmatched 400', 'unmatched 415', `${METHOD} 200`]);
    const lines = calls.logs.all();
    for (const code of ['not_found', 'malformed_request', 'media_type_not_supported'])
      expect(lines.split('\n').filter((line) => line.includes(`"code":"${code}"`))).toHaveLength(1);
    expect(lines).not.toContain('secret');
  });

  it('that is too large is refused by its announced size, and after decompression', async () => {
    calls = await openCalls();
    const announced = await callRaw(calls.port, { body: frame(Buffer.alloc(10), 0, BYTES_MAX + 1), isOpen: true });
    expect(announced.headers).toMatchObject({ 'grpc-status': '8', 'grpc-message': expect.stringContaining('at most') });
    // Its client is still sending when it is refused.
    const whole = await call(calls.port, Buffer.alloc(100 * BYTES_MAX));
    expect([whole.code, whole.words.includes('(body_too_large)')]).toEqual([8, true]);
    const bomb = await call(calls.port, Buffer.alloc(BYTES_MAX + 1), { compression: 2 });
    expect([bomb.code, bomb.details.includes('RetryInfo')]).toEqual([8, false]);
    expect(calls.bodyBudget.takenBytes).toBe(0);
  });

  it('beyond a limit says when to come back', async () => {
    calls = await openCalls({ limits: 'create=1/h' });
    expect((await call(calls.port, Buffer.from('a'))).code).toBe(0);
    const { code, words, details } = await call(calls.port, Buffer.from('a'));
    expect([code, details.includes('google.rpc.RetryInfo')]).toEqual([8, true]);
    expect(words).toContain('(rate_limited)');
  });

  it('that meets damage is to be sent again where the form of its route says so, in words of damage', async () => {
    const statuses = { content_damaged: { status: 503, retryAfterSeconds: 60 } };
    const form = { name: 'Status', contentTypes: [], format: () => ({ contentType: '', body: '' }) };
    const handle = () =>
      Promise.reject(new ServiceError('content_damaged', 'the head was altered', { remedy: 'retry' }));
    for (const [problemForm, code] of [
      [{ ...form, statuses }, 14],
      [form, 13],
    ] as const) {
      await calls?.server.close();
      calls = await openCalls({ handle, problemForm });
      const came = await call(calls.port, Buffer.from('a'));
      expect([came.code, came.details.includes('google.rpc.RetryInfo')]).toEqual([code, code === 14]);
      expect(came.words).toMatch(/was altered.*\(content_damaged\)$/);
    }
  });

  it('that there is no memory for is to be sent again', async () => {
    calls = await openCalls({ bodiesMax: 100 });
    const lease = calls.bodyBudget.open('another workspace');
    expect(lease.grow(100)).toBe(true);
    const { code, details } = await call(calls.port, Buffer.alloc(50));
    expect([code, details.includes('google.rpc.RetryInfo')]).toEqual([14, true]);
    lease.release();
    expect((await call(calls.port, Buffer.alloc(50))).code).toBe(0);
  });

  it('whose deadline passes before its message is whole is never begun', async () => {
    let begun = 0;
    calls = await openCalls({ handle: () => Promise.resolve({ status: 200, body: Buffer.alloc(begun++) }) });
    const body = frame(Buffer.from('a'), 0, 2);
    const { headers } = await callRaw(calls.port, { headers: { 'grpc-timeout': '20m' }, body, isOpen: true });
    expect([headers['grpc-status'], begun, calls.bodyBudget.takenBytes]).toEqual(['4', 0, 0]);
  });

  it('in progress is answered while the server closes, and no other is', async () => {
    const entered = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    calls = await openCalls({
      async handle() {
        entered.resolve();
        await released.promise;
        return { status: 200, body: Buffer.from('done') };
      },
    });
    const waiting = call(calls.port, Buffer.from('a'));
    await entered.promise;
    const closed = calls.server.close();
    expect((await call(calls.port, Buffer.from('b'))).code).toBe(14);
    released.resolve();
    expect((await waiting).message.toString()).toBe('done');
    await closed;
  });

  it('that fails says nothing of the cause', async () => {
    calls = await openCalls({ handle: () => Promise.reject(new Error('secret')) });
    const { code, words } = await call(calls.port, Buffer.from('a'));
    expect(code).toBe(13);
    expect(words).not.toContain('secret');
    expect(await calls.logs.find('"status":500')).toContain(METHOD);
  });
});

describe('bytes that are no call', () => {
  it.each([
    ['no message', Buffer.alloc(0), {}, '3'],
    ['half a message', frame(Buffer.from('a'), 0, 2), {}, '3'],
    ['two messages', Buffer.concat([frame(Buffer.from('a')), frame(Buffer.from('b'))]), {}, '3'],
    ['what is not gzip', frame(Buffer.from('a'), 1), { 'grpc-encoding': 'gzip' }, '3'],
    ['another compression', frame(gzipSync('a'), 1), { 'grpc-encoding': 'zstd' }, '12'],
    ['a timeout of no form', frame(Buffer.from('a')), { 'grpc-timeout': '1 s' }, '3'],
  ])('%s: refused, with words', async (_, body, headers, status) => {
    calls = await openCalls();
    const came = await callRaw(calls.port, { headers, body });
    expect(came.headers).toMatchObject({ 'grpc-status': status, 'grpc-message': expect.stringMatching(/./) });
  });

  it('are told over HTTP what the port is for', async () => {
    calls = await openCalls();
    const came = await callRaw(calls.port, {
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{}'),
    });
    expect([came.headers[':status'], came.body.toString()]).toEqual([415, expect.stringContaining('gRPC')]);
    const reply = await fetch(`http://127.0.0.1:${calls.port}/`, { method: 'POST', body: '{}' });
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('gRPC')]);
  });
});
