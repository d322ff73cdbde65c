import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isInstalled } from '@answer-evidence/testing';
import { PROXY_PROGRAMS, ROUTER_PROGRAM, type RunningProxy, startProxy } from '../tools/scenery/proxy-program.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { startTlsTerminator, type TlsTerminator } from './support/tls-terminator.ts';

const DEADLINE_MS = 60_000;
/** The proxy, and a terminator of TLS in front of it. */
const environment = { SERVICE_RATE_LIMITS: 'login=10/min', SERVICE_TRUSTED_PROXIES: '2' };

const LOGIN = '/api/auth/login';
const WRONG = { username: 'nobody', password: 'wrong password' };
const canRunTls = process.env['REQUIRE_SERVICES'] === '1' || isInstalled('caddy');

/** Guesses a dozen times, and then until what a slow machine has been given back is used up; the last status. */
async function exhaust(guess: (n: number) => Promise<number>): Promise<number> {
  let status = 0;
  for (let n = 0; n < 12 || (status !== 429 && n < 60); n++) status = await guess(n);
  return status;
}

describe.each([...PROXY_PROGRAMS, ROUTER_PROGRAM])('behind $name and a terminator of TLS', (program) => {
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
      return (await fetch(`${proxy.url}${LOGIN}`, { method: 'POST', headers, body: JSON.stringify(WRONG) })).status;
    };
    expect(await exhaust(() => guess('203.0.113.7'))).toBe(429);
    expect(await guess('198.51.100.1')).toBe(401);
  });

  (canRunTls ? it : it.skip)(
    'the same holds through TLS, under whatever address a client claims',
    async () => {
      const tls: TlsTerminator = await startTlsTerminator(proxy.url);
      try {
        const guess = (from: string, said: string) => tls.post(from, LOGIN, WRONG, { 'X-Forwarded-For': said });
        expect(await exhaust((n) => guess('127.0.0.2', `192.0.2.${n}`))).toBe(429);
        expect(await guess('127.0.0.3', '127.0.0.2')).toBe(401);
      } finally {
        await tls.close();
      }
    },
    DEADLINE_MS,
  );
});
