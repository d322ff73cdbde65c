import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runOperatorCommand, until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';

const LEAD_SECONDS = 3;
const environment = { SERVICE_TOKEN_KEY_LEAD_SECONDS: String(LEAD_SECONDS) };

let first: TestService;
let second: TestService;
beforeAll(async () => {
  first = await openTestService({ environment });
  second = await openTestService({ share: first, environment });
});
afterAll(async () => {
  await second.close();
  await first.close();
});

const kidOf = (token: string): string => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

async function issue(service: TestService, name: string): Promise<string> {
  const scopes = ['answer_audit:create', 'answer_audit:read'];
  const body = { kind: 'application', name, application_key: 'support-bot', scopes };
  const reply = await service.call('POST', '/api/tokens', { body });
  expect(reply.status).toBe(201);
  return reply.body.token;
}

async function publishedKids(service: TestService): Promise<readonly string[]> {
  const { body } = await service.call('GET', '/.well-known/jwks.json', { token: null });
  return body.keys.map(({ kid }: { kid: string }) => kid);
}

const rotateWith = (settings: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  runOperatorCommand(['token-keys-rotate', ...args], {
    dataDir: first.dataDir,
    environment: { ...settings, DATABASE_URL: first.databaseUrl },
  });
const rotate = (...args: readonly string[]) => rotateWith(environment, ...args);

describe('a rotation of the keys that sign application tokens', () => {
  it('fails no request of any token, in two processes under load, before, while and after the new key signs', async () => {
    const tokens = [await issue(first, 'before')];
    const [oldKid = ''] = await publishedKids(first);
    const refused: string[] = [];
    const statuses = new Map<number, number>();
    let stopped = false;
    let issued = 0;
    async function use(service: TestService, other: TestService): Promise<void> {
      for (let n = 0; !stopped; n++) {
        // Issued here and used there at once: the other process may not have heard of its key.
        if (n % 10 === 0) tokens.push(await issue(service, `of a rotation ${issued++}`));
        const token = tokens[n % 3 === 0 ? 0 : tokens.length - 1] ?? '';
        const { status } = await other.call('POST', '/api/answer-audit-logs', { token, body: answer(`question ${n}`) });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status !== 201) refused.push(`${status} of ${kidOf(token)}`);
      }
    }
    const load = [use(first, second), use(second, first), use(first, second), use(second, first)];
    const rotated = await rotate();
    expect(rotated).toMatchObject({ code: 0 });
    expect(rotated.stdout).toMatch(/^1 \S+ active: [^\n]*, verifies until [^\n]*\n2 \S+ next: signs from /);
    // Published by both while the old one still signs.
    for (const service of [first, second])
      await until('the new key', async () => (await publishedKids(service)).length === 2);
    const [newKid = ''] = await publishedKids(second);
    expect(newKid).not.toBe(oldKid);
    await until('the first token of the new key', () => kidOf(tokens.at(-1) ?? '') === newKid);
    const so = statuses.get(201) ?? 0;
    await until('more load', () => (statuses.get(201) ?? 0) > so + 100);
    stopped = true;
    await Promise.all(load);
    expect(refused).toEqual([]);
    expect(new Set(tokens.map(kidOf))).toEqual(new Set([oldKid, newKid]));
    for (const service of [first, second])
      for (const token of [tokens[0], tokens.at(-1)])
        expect((await service.call('GET', '/api/whoami', { token: token ?? '' })).status).toBe(200);
    expect([...(await publishedKids(first))].sort()).toEqual([oldKid, newKid].sort());
  }, 120_000);

  it('at once is taken up by a process that has not looked at the keys since', async () => {
    expect(await rotate('--now')).toMatchObject({ code: 0 });
    await until('a token of the newest key', async () => {
      const token = await issue(first, `at once ${crypto.randomUUID()}`);
      expect((await second.call('GET', '/api/whoami', { token })).status).toBe(200);
      return (await publishedKids(first)).length === 3 && kidOf(token) === (await publishedKids(first))[0];
    });
  });

  it('is refused while another one is under way, and says so', async () => {
    // The default lead of an hour: longer than any machine takes to start the command again.
    expect(await rotateWith({})).toMatchObject({ code: 0 });
    const again = await rotateWith({});
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('a new key is already published');
    expect(again.stdout.split('\n')).toHaveLength(4);
  });

  it('does not make forged keys reach the database more than once a second', async () => {
    const token = await issue(first, 'to be forged');
    const forge = (n: number) => {
      const header = { alg: 'EdDSA', typ: 'at+jwt', kid: `${n}`.padStart(43, 'A') };
      const [, ...rest] = token.split('.');
      return [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.');
    };
    const startedAt = performance.now();
    const replies = await Promise.all(
      Array.from({ length: 300 }, (_, n) => first.call('GET', '/api/whoami', { token: forge(n) })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
    // They share readings: with one each, a second apart, they would take five minutes.
    expect(performance.now() - startedAt).toBeLessThan(60_000);
    expect((await first.call('GET', '/api/whoami', { token })).status).toBe(200);
  });
});
