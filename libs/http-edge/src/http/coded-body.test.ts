import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { rawBody } from '@answer-evidence/contracts/operations';
import { createByteBudget, defineRoute } from '@answer-evidence/routes';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { echoRoute } from '../fixtures/routes.ts';

const BYTES_MAX = 100_000;
const TYPE = 'application/x-protobuf';
const FORM_TYPE = 'text/fault';

/** Where requests are held until the test lets them go. */
let held: (() => void)[] = [];
const isHeld = Promise.withResolvers<void>();
const budget = createByteBudget(60_000);
/** For routes without a budget of their own. */
const small = createByteBudget(70_000);

const coded = defineRoute({
  method: 'POST',
  path: '/coded',
  operationId: 'postCoded',
  summary: 'Says how large a body is',
  access: 'records.create',
  bodyFormat: 'bytes',
  body: rawBody,
  bodyBytesMax: BYTES_MAX,
  bodyTypes: [TYPE, 'application/json'],
  bodyMayBeGzip: true,
  bodyBudget: budget,
  problemForm: {
    name: 'Line',
    contentTypes: [FORM_TYPE],
    format: ({ status, code }, header) => ({
      contentType: FORM_TYPE,
      body: `${status} ${code} ${header('content-type') ?? ''}`,
    }),
  },
  responses: { 200: { description: 'Its size.', contentType: 'text/plain' } },
  async handle(asked) {
    const { body } = asked;
    if (asked.header('x-hold') === 'yes') {
      const released = new Promise<void>((resolve) => void held.push(resolve));
      isHeld.resolve();
      await released;
    }
    if (asked.header('x-fail') === 'yes')
      throw new ServiceError('ledger_unavailable', 'not now', { retryAfterSeconds: 7 });
    return { status: 200, contentType: 'text/plain', body: String(body.byteLength).padEnd(5_000) };
  },
});

let edge: OpenEdge;
beforeAll(async () => {
  const large = { ...echoRoute, path: '/large', operationId: 'postLarge', bodyBytesMax: BYTES_MAX };
  edge = await openEdge([coded, echoRoute, large], { bodyBudget: small });
});
afterAll(() => edge.close());

function post(body: Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) {
  return edge.post('/coded', body, { 'content-type': TYPE, ...headers });
}
const GZIP = { 'content-encoding': 'gzip' };
const sizeOf = async (reply: Response) => Number(await reply.text());

describe('a body that may be gzip', () => {
  it('is decompressed, in several members too, and taken as it is without a coding', async () => {
    expect(await sizeOf(await post(gzipSync(new Uint8Array(5_000)), GZIP))).toBe(5_000);
    const two = Buffer.concat([gzipSync(new Uint8Array(5_000)), gzipSync(new Uint8Array(10))]);
    expect(await sizeOf(await post(two, GZIP))).toBe(5_010);
    expect(await sizeOf(await post(new Uint8Array(3)))).toBe(3);
    expect(await sizeOf(await post(new Uint8Array(0), GZIP))).toBe(0);
  });

  it('is refused with 413 when it is too large after decompression, whatever it says of its size', async () => {
    const bomb = gzipSync(new Uint8Array(50_000_000));
    expect((await post(bomb, GZIP)).status).toBe(413);
    const lying = Buffer.from(bomb);
    lying.writeUInt32LE(1, lying.length - 4);
    expect((await post(lying, GZIP)).status).toBe(413);
    expect((await post(new Uint8Array(BYTES_MAX + 1))).status).toBe(413);
    expect(budget.takenBytes).toBe(0);
  });

  it('is refused with 400 when it is no gzip, and with 415 in another coding or of another type', async () => {
    const whole = gzipSync(new Uint8Array(500).fill(7));
    for (const broken of [
      new Uint8Array(40),
      whole.subarray(0, 20),
      Buffer.concat([whole.subarray(0, -6), new Uint8Array(6)]),
    ])
      expect((await post(broken, GZIP)).status).toBe(400);
    for (const coding of ['br', 'gzip, gzip', 'zstd'])
      expect((await post(new Uint8Array(3), { 'content-encoding': coding })).status).toBe(415);
    expect((await post(new Uint8Array(3), { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(new Uint8Array(3), { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200);
  });
});

describe('a JSON body', () => {
  const send = (body: Uint8Array, coding = 'gzip') =>
    edge.post('/echo', new Uint8Array(body), { 'content-encoding': coding });
  const codeOf = async (reply: Response) => [reply.status, ((await reply.json()) as { code: string }).code];

  it('may be gzip', async () => {
    for (const coding of ['gzip', 'X-Gzip', ' GZIP ']) {
      const reply = await send(gzipSync('{"name":"é"}'), coding);
      expect([reply.status, await reply.json()]).toEqual([200, { name: 'é' }]);
    }
    expect(await codeOf(await send(gzipSync('{"name":')))).toEqual([400, 'malformed_json']);
    expect(await codeOf(await send(gzipSync('')))).toEqual([400, 'malformed_json']);
  });

  it('is as small after decompression as without', async () => {
    const padded = (bytes: number) => gzipSync('{}'.padEnd(bytes));
    expect((await send(padded(1_000))).status).toBe(200);
    expect(await codeOf(await send(padded(1_001)))).toEqual([413, 'body_too_large']);
    expect(await codeOf(await send(gzipSync(new Uint8Array(500_000))))).toEqual([413, 'body_too_large']);
  });

  it('that is cut, or of another coding, is refused, and the reply says which one is supported', async () => {
    const whole = gzipSync('{"name":"a"}');
    expect(await codeOf(await send(whole.subarray(0, -1)))).toEqual([400, 'malformed_request']);
    expect(await codeOf(await send(Buffer.concat([whole, Buffer.from('{}')])))).toEqual([400, 'malformed_request']);
    for (const coding of ['br', 'zstd', 'deflate', 'gzip, gzip', 'aws-chunked']) {
      const reply = await send(whole, coding);
      expect([reply.status, reply.headers.get('accept-encoding')]).toEqual([415, 'gzip']);
    }
    const other = await edge.post('/echo', '{}', { 'content-type': 'text/plain' });
    expect([other.status, other.headers.get('accept-encoding')]).toEqual([415, null]);
  });

  it('of a large route counts what it decompresses to', async () => {
    const large = gzipSync(`{"name":"a"}${' '.repeat(80_000)}`);
    // A lone caller gets any amount.
    const another = small.open('another workspace');
    expect(another.grow(1)).toBe(true);
    const reply = await edge.post('/large', new Uint8Array(large), GZIP);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
    another.release();
    expect((await edge.post('/large', new Uint8Array(large), GZIP)).status).toBe(200);
    expect(small.takenBytes).toBe(0);
  });
});

describe('a budget for bodies', () => {
  it('turns away what it has no room for, and takes it when there is room again', async () => {
    const large = post(gzipSync(new Uint8Array(50_000)), { 'x-hold': 'yes', ...GZIP });
    await isHeld.promise;
    for (const size of [20_000, 90_000]) {
      const refused = await post(gzipSync(new Uint8Array(size)), GZIP);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    }
    expect((await post(new Uint8Array(5_000))).status).toBe(200);
    for (const release of held) release();
    held = [];
    expect((await large).status).toBe(200);
    expect((await post(gzipSync(new Uint8Array(20_000)), GZIP)).status).toBe(200);
    expect(budget.takenBytes).toBe(0);
  });

  it('gives nothing for what is only announced, by its length or in chunks', async () => {
    const head = `POST /coded HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer manager\r\ncontent-type: ${TYPE}\r\n`;
    const announced = [`content-length: ${String(BYTES_MAX)}\r\n\r\na`, 'transfer-encoding: chunked\r\n\r\n1\r\na\r\n'];
    const sockets = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const socket = connect(edge.port, '127.0.0.1');
        await once(socket, 'connect');
        socket.write(head + (announced[n % 2] ?? ''));
        return socket;
      }),
    );
    const replies = await Promise.all(sockets.map(() => post(gzipSync(new Uint8Array(100)), GZIP)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    for (const socket of sockets) socket.destroy();
  });
});

describe('a form of errors', () => {
  it('is that of every error, of the edge and of the handler, with the headers of its status', async () => {
    const forms = await Promise.all([
      edge.post('/coded', new Uint8Array(1), { 'content-type': TYPE, authorization: 'Bearer nobody' }),
      post(new Uint8Array(1), { 'x-fail': 'yes' }),
      edge.send('/coded'),
      post(new Uint8Array(BYTES_MAX + 1)),
      edge.post('/coded?x=1', new Uint8Array(1), { 'content-type': TYPE }),
      post(new Uint8Array(1), { 'service-version': 'latest' }),
    ]);
    expect(await Promise.all(forms.map((reply) => reply.text()))).toEqual([
      `401 unauthenticated ${TYPE}`,
      `503 ledger_unavailable ${TYPE}`,
      '405 method_not_allowed ',
      `413 body_too_large ${TYPE}`,
      `422 schema_violation ${TYPE}`,
      `422 version_not_supported ${TYPE}`,
    ]);
    expect(new Set(forms.map(({ headers }) => headers.get('content-type')))).toEqual(new Set([FORM_TYPE]));
    const [unknown, failed, method] = forms;
    expect(unknown?.headers.get('www-authenticate')).toContain('Bearer');
    expect(failed?.headers.get('retry-after')).toBe('7');
    expect(method?.headers.get('allow')).toBe('OPTIONS, POST');
  });

  it('is described with its media types', async () => {
    const description: any = await (await edge.send('/api/openapi.json')).json();
    const { requestBody, responses } = description.paths['/coded'].post;
    expect(responses['413']).toEqual({ $ref: '#/components/responses/Line413' });
    expect(Object.keys(requestBody.content)).toEqual([TYPE, 'application/json']);
    expect(Object.keys(description.components.responses.Line413.content)).toEqual([FORM_TYPE]);
  });
});
