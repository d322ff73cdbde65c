import { afterEach, describe, expect, it } from '@jest/globals';
import type { Route } from '@answer-evidence/routes';
import type { Authenticator } from '../auth/authenticator.ts';
import { knownCallers } from '../fixtures/callers.ts';
import { type EdgeOptions, type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { echoRoute, ID, replyRoute } from '../fixtures/routes.ts';
import { parseRateLimits } from '../rate-limits/parse-rate-limits.ts';

const plain = replyRoute('/plain', { status: 200, body: '"plain"' });
const open = replyRoute('/open', { status: 200, body: '"open"' }, 'public');
const creating: Route = { ...echoRoute, rateLimit: 'create' };
const login: Route = { ...open, path: '/login', operationId: 'login', rateLimit: 'login' };

let edge: OpenEdge;
afterEach(() => edge.close());

async function openLimited(text: string, options: EdgeOptions = {}): Promise<void> {
  edge = await openEdge([plain, open, creating, login], { limits: parseRateLimits(text), ...options });
}

async function statuses(count: number, send: () => Promise<Response>): Promise<readonly number[]> {
  const seen: number[] = [];
  for (let n = 0; n < count; n++) seen.push((await send()).status);
  return seen;
}

const as = (token: string, more: Record<string, string> = {}) => ({
  headers: { authorization: `Bearer ${token}`, ...more },
});

describe('a limit of requests', () => {
  it('lets the last one in, answers 429 to the next with when to come back, and leaves other tokens alone', async () => {
    await openLimited('default=3/h');
    const first = await edge.send('/plain');
    expect([first.status, first.headers.get('ratelimit-policy'), first.headers.get('ratelimit')]).toEqual([
      200,
      '"default";q=3;w=3600',
      '"default";r=2;t=1200',
    ]);
    expect(await statuses(2, () => edge.send('/plain'))).toEqual([200, 200]);
    const refused = await edge.send('/plain');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1_100);
    expect(refused.headers.get('ratelimit')).toBe(`"default";r=0;t=${refused.headers.get('retry-after')}`);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', status: 429 });
    expect((await edge.send('/plain', as('member'))).status).toBe(200);
  });

  it('counts creates apart from all else, and says so', async () => {
    await openLimited('create=2/h,default=1/h');
    expect(await statuses(3, () => edge.post('/echo', '{}'))).toEqual([200, 200, 429]);
    expect(await statuses(2, () => edge.send('/plain'))).toEqual([200, 429]);
  });

  it('does not read the body of a request that it turns away', async () => {
    await openLimited('create=1/h');
    expect(await statuses(2, () => edge.post('/echo', '{"'))).toEqual([400, 429]);
  });

  it('holds for a public route by client address, and for a login by its own count', async () => {
    await openLimited('default=2/h,login=1/min');
    expect(await statuses(3, () => edge.send('/open'))).toEqual([200, 200, 429]);
    expect(await statuses(2, () => edge.send('/login'))).toEqual([200, 429]);
    // A token has its own count, and none on a public route.
    expect(await statuses(1, () => edge.send('/plain'))).toEqual([200]);
  });

  it('holds by client address for anyone who comes without a token to a route that may be public, before that is looked up', async () => {
    let lookups = 0;
    const perhaps: Route = {
      ...replyRoute('/perhaps/{id}', { status: 200, body: '"open"' }),
      publicWhen: () => Promise.resolve(++lookups > 0),
    };
    edge = await openEdge([perhaps], { limits: parseRateLimits('default=2/h') });
    const path = `/perhaps/${ID}`;
    const visit = async () => fetch(`http://127.0.0.1:${edge.port}${path}`);
    expect(await statuses(3, visit)).toEqual([200, 200, 429]);
    expect(lookups).toBe(2);
    expect((await visit()).headers.get('ratelimit-policy')).toBe('"default";q=2;w=3600');
    expect(await statuses(1, () => edge.send(path))).toEqual([200]);
  });

  it('tells clients behind a trusted proxy apart, and believes nobody else about who they are', async () => {
    const from = (address: string) => () => edge.send('/open', { headers: { 'x-forwarded-for': address } });
    await openLimited('default=1/h', { trustedProxies: 1 });
    expect(await statuses(2, from('1.1.1.1'))).toEqual([200, 429]);
    expect(await statuses(2, from('6.6.6.6, 2.2.2.2'))).toEqual([200, 429]);
    expect(await statuses(1, from('7.7.7.7, 2.2.2.2'))).toEqual([429]);
    await edge.close();
    await openLimited('default=1/h');
    expect(await statuses(1, from('1.1.1.1'))).toEqual([200]);
    expect(await statuses(1, from('2.2.2.2'))).toEqual([429]);
  });

  it('that is off is not mentioned', async () => {
    await openLimited('off');
    const { headers } = await edge.send('/plain');
    expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([null, null]);
  });
});

describe('an address with too many refused tokens', () => {
  it('gets 429 without the token being looked up, while tokens that were good go on', async () => {
    let lookups = 0;
    const counting: Authenticator = {
      wasGood: (header) => knownCallers.wasGood(header),
      authenticate(header) {
        lookups += 1;
        return knownCallers.authenticate(header);
      },
    };
    await openLimited('unauthenticated=3/h', { authenticator: counting });
    expect(await statuses(3, () => edge.send('/plain', as('forged')))).toEqual([401, 401, 401]);
    expect(lookups).toBe(3);
    const refused = await edge.send('/plain', as('another forged one'));
    expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '"unauthenticated";q=3;w=3600']);
    expect(lookups).toBe(3);
    expect((await edge.send('/plain')).status).toBe(200);
    expect(lookups).toBe(4);
  });
});
