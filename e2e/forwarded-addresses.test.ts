import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROXY_PROGRAMS, type RunningProxy, startProxy } from '../tools/scenery/proxy-program.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';

const DEADLINE_MS = 60_000;
/** The proxy, and a terminator of TLS in front of it. */
const environment = { SERVICE_RATE_LIMITS: 'login=10/min', SERVICE_TRUSTED_PROXIES: '2' };

describe.each(PROXY_PROGRAMS)('behind $name and a terminator of TLS', (program) => {
  if (!program.canRun) {
    it.skip('is not installed', () => undefined);
    return;
  }
  let service: TestService;
  let proxy: RunningProxy;
  beforeAll(async () => {
    service = await openTestService({ environment });
    const { host } = new URL(service.baseUrl);
    proxy = await startProxy(program, { addressOf: () => host, grpcAddress: host });
  }, DEADLINE_MS);
  afterAll(async () => {
    await proxy.close();
    await service.close();
  }, DEADLINE_MS);

  it('the logins of one address go on when another one guesses', async () => {
    const guess = async (from: string) => {
      // As the terminator sends it on, with what the client made up before it.
      const headers = { 'X-Forwarded-For': `192.0.2.1, ${from}`, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ username: 'nobody', password: 'wrong password' });
      return (await fetch(`${proxy.url}/api/auth/login`, { method: 'POST', headers, body })).status;
    };
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push(await guess('203.0.113.7'));
    expect(statuses.at(-1)).toBe(429);
    expect(await guess('198.51.100.1')).toBe(401);
  });
});
