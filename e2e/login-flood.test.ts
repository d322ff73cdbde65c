import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestService, type Reply, type TestService } from '../tools/scenery/test-service.ts';

const PASSWORD = 'the password of the user';
/** The address is the one that the trusted proxy names. */
const environment = { SERVICE_TRUSTED_PROXIES: '1' };

let service: TestService;
/** A second process on the same database. */
let other: TestService;
const addMember = async (username: string): Promise<void> => {
  const { body } = await service.call('POST', '/api/members', { body: { username } });
  const secret = body.password_link.secret;
  await service.call('POST', '/api/auth/password', { token: null, body: { secret, password: PASSWORD } });
};
const login = (username: string, password: string, from: string, at = service): Promise<Reply> =>
  at.call('POST', '/api/auth/login', {
    token: null,
    headers: { 'X-Forwarded-For': from },
    body: { username, password },
  });

beforeAll(async () => {
  service = await openTestService({ environment });
  other = await openTestService({ environment, share: service });
  await addMember('anna');
  await addMember('bert');
});
afterAll(async () => {
  await other.close();
  await service.close();
});

describe('a flood of wrong passwords', () => {
  it('does not keep the right one out, at a new address and at a known one, in any process', async () => {
    expect((await login('anna', PASSWORD, '203.0.113.1')).status).toBe(200);
    const flood: Reply[] = [];
    for (let n = 0; n < 90; n++)
      flood.push(await login('anna', `wrong ${n}`, `198.51.100.${n % 8}`, n % 2 === 0 ? service : other));
    const guessed = flood.filter(({ status }) => status === 401).length;
    // Three of each address, thirty of all, and one for each ten seconds that this took.
    expect(guessed).toBeGreaterThanOrEqual(3 * 8 + 30);
    expect(guessed).toBeLessThan(3 * 8 + 30 + 10);
    const refused = flood.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(90 - guessed);
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(10);
    for (const [from, at] of [
      ['203.0.113.1', service],
      ['203.0.113.1', other],
      ['203.0.113.2', service],
      ['203.0.113.3', other],
    ] as const)
      expect([from, (await login('anna', PASSWORD, from, at)).status]).toEqual([from, 200]);
  });

  it('is remembered by a process that starts afterwards', async () => {
    const restarted = await openTestService({ environment, share: service });
    try {
      const reply = await login('anna', 'wrong', '198.51.100.1', restarted);
      expect([reply.status, reply.body.code]).toEqual([429, 'rate_limited']);
      expect((await login('anna', PASSWORD, '203.0.113.1', restarted)).status).toBe(200);
    } finally {
      await restarted.close();
    }
  });

  it('of 400 logins at once lets the known address in, and tells others when to come back', async () => {
    expect((await login('bert', PASSWORD, '203.0.113.9')).status).toBe(200);
    const flood = Array.from({ length: 400 }, (_, n) => login('bert', 'wrong', `192.0.2.${n % 250}`));
    const known = Array.from({ length: 3 }, () => login('bert', PASSWORD, '203.0.113.9'));
    expect((await Promise.all(known)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const replies = await Promise.all(flood);
    expect(replies.map(({ status }) => status).filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
    for (const { status, headers } of replies)
      if (status !== 401) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await login('bert', PASSWORD, '203.0.113.10')).status).toBe(200);
  }, 60_000);
});
