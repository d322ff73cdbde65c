import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineRoute, rawBody } from '@answer-evidence/ports';
import { openEdge, type OpenEdge } from './fixtures/open-edge.ts';

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

let edge: OpenEdge;
beforeAll(async () => {
  edge = await openEdge([bytesRoute]);
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

  it('is described as taking any type', async () => {
    const description: any = await (await edge.send('/api/openapi.json')).json();
    expect(description.paths['/bytes'].post.requestBody).toEqual({ required: true, content: { '*/*': {} } });
  });
});
