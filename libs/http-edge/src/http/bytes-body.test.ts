import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rawBody } from '@answer-evidence/contracts/operations';
import { defineRoute } from '@answer-evidence/routes';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { sendRaw } from '../fixtures/send-raw.ts';

const BYTES_MAX = 1000;
const bytesRoute = defineRoute({
  method: 'POST',
  path: '/bytes',
  operationId: 'postBytes',
  summary: 'Echo bytes',
  access: 'public',
  bodyFormat: 'bytes',
  body: rawBody,
  bodyBytesMax: BYTES_MAX,
  responses: { 200: { description: 'The bytes.', contentType: 'application/octet-stream' } },
  handle: ({ body }) => Promise.resolve({ status: 200, contentType: 'application/octet-stream', body }),
});

const MANY_BYTES = 300_000;
const sizeRoute = defineRoute({
  ...bytesRoute,
  path: '/size',
  operationId: 'postSize',
  body: rawBody,
  bodyBytesMax: MANY_BYTES,
  digest: (bytes: Uint8Array) => bytes,
  handle: ({ body }) =>
    Promise.resolve({ status: 200, contentType: 'text/plain', body: `${body.length} ${new Set(body).size}` }),
});

let edge: OpenEdge;
beforeAll(async () => {
  edge = await openEdge([bytesRoute, sizeRoute]);
});
afterAll(() => edge.close());

describe('a route that takes bytes', () => {
  it('gets them as they came, whatever type and coding they are said to have', async () => {
    const bytes = Uint8Array.from({ length: BYTES_MAX }, (_, i) => i & 0xff);
    const claims: readonly Readonly<Record<string, string>>[] = [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json' },
      { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' },
    ];
    for (const headers of claims) {
      const reply = await edge.post('/bytes', bytes, headers);
      expect(reply.status).toBe(200);
      expect(new Uint8Array(await reply.arrayBuffer())).toEqual(bytes);
    }
  });

  it('gets none from a request without a body', async () => {
    const reply = await edge.send('/bytes', { method: 'POST' });
    expect([reply.status, (await reply.arrayBuffer()).byteLength]).toEqual([200, 0]);
  });

  it('gets no more than it takes', async () => {
    expect((await edge.post('/bytes', new Uint8Array(BYTES_MAX + 1))).status).toBe(413);
  });

  it('gets all of them from more chunks than a call takes arguments', async () => {
    const head = 'POST /size HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
    const send = (count: number) => sendRaw(edge.port, `${head}${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`);
    expect(await send(MANY_BYTES)).toMatch(new RegExp(`^HTTP/1.1 200 [^]*\\r\\n\\r\\n${MANY_BYTES} 1$`));
    expect(await send(MANY_BYTES + 1)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('is described as taking any type', async () => {
    const description: any = await (await edge.send('/api/openapi.json')).json();
    expect(description.paths['/bytes'].post.requestBody).toEqual({
      required: true,
      content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
    });
  });
});
