import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { echoRoute, replyRoute } from '../fixtures/routes.ts';
import { sendRaw } from '../fixtures/send-raw.ts';

let edge: OpenEdge;
beforeAll(async () => {
  edge = await openEdge([
    replyRoute('/strong', { status: 200, body: {}, headers: { ETag: '"a"' } }),
    replyRoute('/weak', { status: 200, body: {}, headers: { ETag: 'W/"a"', 'Cache-Control': 'no-cache' } }),
    replyRoute('/managers', { status: 200, body: {}, headers: { ETag: '"a"' } }, 'settings.manage'),
    replyRoute('/missing', { status: 404, body: {}, headers: { ETag: '"a"' } }),
    { ...echoRoute, handle: () => Promise.resolve({ status: 200, body: {}, headers: { ETag: '"a"' } }) },
  ]);
});
afterAll(() => edge.close());

const statusOf = async (path: string, tags: string, init: RequestInit = {}) =>
  (await edge.send(path, { ...init, headers: { 'if-none-match': tags, ...init.headers } })).status;

describe('If-None-Match', () => {
  it.each(['"a"', 'W/"a"', '*', '"x", W/"a"', ' "a" '])(
    '%s is answered with 304 where the tag is "a"',
    async (tags) => {
      expect(await statusOf('/strong', tags)).toBe(304);
      expect(await statusOf('/weak', tags)).toBe(304);
      expect(await statusOf('/weak', tags, { method: 'HEAD' })).toBe(304);
    },
  );

  it.each(['"b"', 'a', '""', '', '"x", "y"', 'w/"a"'])('%s is not', async (tags) => {
    expect(await statusOf('/strong', tags)).toBe(200);
  });

  it('is looked at only for what would be answered with 200, and after the caller', async () => {
    expect(await statusOf('/missing', '*')).toBe(404);
    expect(await statusOf('/managers', '*', { headers: { authorization: 'Bearer member' } })).toBe(403);
    expect(await statusOf('/managers', '*', { headers: { authorization: 'Bearer nobody' } })).toBe(401);
    expect((await edge.post('/echo', '{}', { 'if-none-match': '*' })).status).toBe(200);
  });

  it('leaves the headers of the reply and no content, and keeps the connection', async () => {
    const get = (connection: string) =>
      `GET /weak HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer manager\r\nIf-None-Match: "a"\r\nConnection: ${connection}\r\n\r\n`;
    const replies = (await sendRaw(edge.port, get('keep-alive') + get('close'))).split('HTTP/1.1 ').slice(1);
    expect(replies).toHaveLength(2);
    for (const reply of replies) {
      expect(reply).toMatch(/^304 Not Modified\r\n(.+\r\n)+\r\n$/);
      expect(reply).toContain('ETag: W/"a"');
      expect(reply).toContain('Cache-Control: no-cache');
      expect(reply).not.toMatch(/^content-(length|type):/im);
    }
    expect(await edge.logs.find('"status":304')).toContain('"route":');
  });

  it('saves the description of the API', async () => {
    const tag = (await edge.send('/api/openapi.json')).headers.get('etag') ?? '';
    expect(await statusOf('/api/openapi.json', tag)).toBe(304);
  });
});
