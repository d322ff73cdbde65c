import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { sendRaw } from '../fixtures/send-raw.ts';
import { parseRateLimits } from '../rate-limits/parse-rate-limits.ts';

let edge: OpenEdge;
beforeAll(async () => {
  edge = await openEdge([], {
    hosts: { findSlug: () => undefined, assertHost: () => Promise.reject(new Error('the host was looked up')) },
    limits: { ...parseRateLimits('off'), default: { count: 1, windowSeconds: 3_600 } },
  });
});
afterAll(() => edge.close());

describe('/healthz', () => {
  it('is ok for anybody, at any rate and by any host', async () => {
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => edge.send('/healthz', { headers: { authorization: '' } })),
    );
    for (const reply of replies) {
      expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
        200,
        'text/plain; charset=utf-8',
        'ok\n',
      ]);
      expect(reply.headers.get('ratelimit')).toBeNull();
      expect(reply.headers.get('cache-control')).toBe('no-store');
    }
    expect((await edge.send('/healthz', { method: 'HEAD' })).status).toBe(200);
    expect(await sendRaw(edge.port, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/ 200 OK\r\n[^]*\r\n\r\nok\n$/);
  });

  it('takes nothing else', async () => {
    const refused = await edge.send('/healthz', { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await edge.send('/healthz?all=1')).status).toBe(422);
    expect(await (await edge.send('/health')).text()).toContain('did you mean /healthz?');
  });
});
