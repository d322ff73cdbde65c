import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';

let first: TestService;
let second: TestService;
beforeAll(async () => {
  first = await openTestService();
  second = await openTestService({ share: first });
});
afterAll(() => first.close());

describe('the list of tokens', () => {
  it('comes to show when a token was last used', async () => {
    const body = { kind: 'application', name: 'in use', application_key: 'support-bot', scopes: ['answer_audit:read'] };
    const { id, token } = (await first.call('POST', '/api/tokens', { body })).body;
    const before = Date.now();
    expect((await second.call('GET', '/api/whoami', { token })).status).toBe(200);
    // A process writes it once a minute, and when it ends.
    await second.stop();
    const { items } = (await first.call('GET', '/api/tokens')).body;
    const used = items.find((item: { id: string }) => item.id === id);
    expect(Date.parse(used.last_used_at)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(used.last_used_at)).toBeLessThanOrEqual(Date.now());
  });
});
