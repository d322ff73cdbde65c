import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../tools/scenery/service-process.ts';
import { PATH_OF_EACH_PROCESS } from '../tools/scenery/split-place.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';

/** 5 s are promised, of which 4 pass on an idle machine; a busy one asks late. */
const REVOKED_WITHIN_MS = 20_000;

let first: TestService;
let second: TestService;
beforeAll(async () => {
  first = await openTestService();
  second = await openTestService({ share: first });
});
afterAll(async () => {
  await second.close();
  await first.close();
});

async function issue(name: string): Promise<{ id: string; token: string }> {
  const scopes = ['answer_audit:create', 'answer_audit:read'];
  const body = { kind: 'application', name, application_key: 'support-bot', scopes };
  const reply = await first.call('POST', '/api/tokens', { body });
  expect(reply.status).toBe(201);
  return reply.body;
}

/** What a token is told by every process: 200 or 401; whether it may read there is another question. */
async function ask(service: TestService, token: string): Promise<200 | 401 | undefined> {
  const replies = await Promise.all(PATH_OF_EACH_PROCESS.map((path) => service.call('GET', path, { token })));
  const refused = replies.filter(({ status }) => status === 401).length;
  return refused === 0 ? 200 : refused === PATH_OF_EACH_PROCESS.length ? 401 : undefined;
}

describe('a token that was rotated', () => {
  it('is refused by every process within seconds, and the new one is good at once', async () => {
    const old = await issue('runtime');
    expect([await ask(first, old.token), await ask(second, old.token)]).toEqual([200, 200]);
    const next = (await first.call('POST', `/api/tokens/${old.id}/rotate`)).body;
    const rotatedAt = performance.now();
    expect([await ask(first, next.token), await ask(second, next.token)]).toEqual([200, 200]);
    for (const service of [first, second]) {
      await until('the refusal', async () => (await ask(service, old.token)) === 401, REVOKED_WITHIN_MS);
    }
    expect(performance.now() - rotatedAt).toBeLessThan(REVOKED_WITHIN_MS);
    expect(await ask(second, next.token)).toBe(200);
  });

  it('stays good for its overlap and ends with it, in every process, without anybody doing anything', async () => {
    const old = await issue('with overlap');
    const next = (await first.call('POST', `/api/tokens/${old.id}/rotate`, { body: { overlap_seconds: 2 } })).body;
    for (const service of [first, second])
      expect([await ask(service, old.token), await ask(service, next.token)]).toEqual([200, 200]);
    // An end that is known is not subject to any memory: both refuse it from that moment on.
    const { items } = (await first.call('GET', '/api/tokens')).body;
    const endsAt = Date.parse(items.find(({ id }: { id: string }) => id === old.id).revoked_at);
    await until('the end of the overlap', () => Date.now() > endsAt);
    for (const service of [first, second])
      expect([await ask(service, old.token), await ask(service, next.token)]).toEqual([401, 200]);
  });

  it('is rotated once when two processes try at once, again and again', async () => {
    let { id } = await issue('contested');
    for (let round = 0; round < 5; round++) {
      const replies = await Promise.all(
        [first, second, first, second].map((service) => service.call('POST', `/api/tokens/${id}/rotate`)),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
      id = replies.find(({ status }) => status === 201)?.body.id;
    }
    const report = (await first.call('POST', '/api/trust/ledger-checks')).body;
    expect([report.outcome, report.findings]).toEqual(['PASS', []]);
  });
});
