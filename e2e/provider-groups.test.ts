import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { askProvider, CLIENT, openTestProvider, type TestProvider } from './support/openid-provider.ts';

const BEGIN = '/console/sign-in/provider';
const RULES = [
  { group: 'managers', role: 'manager', adopt: true },
  { group: 'reviewers', role: 'reviewer', applications: ['bot'] },
];

let provider: TestProvider;
let service: TestService;
let other: TestService;

beforeAll(async () => {
  provider = await openTestProvider();
  const environment = {
    SERVICE_OIDC_ISSUER: provider.issuer,
    SERVICE_OIDC_CLIENT_ID: CLIENT.id,
    SERVICE_OIDC_CLIENT_SECRET: CLIENT.secret,
    SERVICE_OIDC_WORKSPACE: 'demo',
    SERVICE_OIDC_GROUPS: JSON.stringify(RULES),
  };
  service = await openTestService({ environment });
  other = await openTestService({ share: service, environment });
  await provider.register(`${service.baseUrl}/console/sign-in/callback`);
}, 60_000);
afterAll(async () => {
  await other.close();
  await service.close();
  await provider.close();
}, 60_000);

/** Signs a browser in; its cookie, if any. */
async function signIn(person: string) {
  const begun = await fetch(`${service.baseUrl}${BEGIN}`, { redirect: 'manual' });
  const attempt = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  const returned = await askProvider(provider, new URL(begun.headers.get('location') ?? ''), person);
  const headers = { cookie: attempt };
  const reply = await service.call('GET', returned.pathname + returned.search, { token: null, headers });
  return { status: reply.status, text: reply.text, cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

function show(cookie: string, of = service) {
  return of.call('GET', '/console/session', { token: null, headers: { cookie } });
}

async function memberOf(person: string) {
  const { items } = (await service.call('GET', '/api/members')).body;
  return items.find(({ username }: { username: string }) => username === `${person}@example.com`);
}

describe('groups at the provider', () => {
  it('add a member, change the role, and take it, and the other process obeys', async () => {
    await provider.setGroups('rita', ['others', 'reviewers']);
    const first = await signIn('rita');
    expect(first.status).toBe(200);
    expect((await show(first.cookie, other)).body.member.access).toEqual({
      ...{ role: 'reviewer', applications: ['bot'], environments: null },
    });
    await provider.setGroups('rita', ['managers', 'reviewers']);
    const second = await signIn('rita');
    expect((await show(second.cookie, other)).body.member.role).toBe('manager');
    expect((await show(first.cookie, other)).status).toBe(401);
    await provider.setGroups('rita', ['others']);
    const left = await signIn('rita');
    expect([left.status, left.cookie]).toEqual([403, '']);
    expect(left.text).toContain('none of your groups');
    expect((await show(second.cookie, other)).status).toBe(401);
    expect(await memberOf('rita')).toMatchObject({ disabled: true, role_source: 'provider_left' });
    const entries = (await service.call('GET', '/api/tenant/entries?type=member_changed&size=3')).body.items;
    expect(entries.map((one: any) => [one.core.changes, one.core.actor.id])).toEqual([
      [['disabled', 'role_source_changed'], 'openid-provider'],
      [['role_changed', 'access_changed'], 'openid-provider'],
      [['added', 'provider_linked'], 'openid-provider'],
    ]);
  });

  it('end a token that allows more, in every process', async () => {
    await provider.setGroups('tom', ['managers']);
    await signIn('tom');
    const { id } = await memberOf('tom');
    const link = await service.call('PATCH', `/api/members/${id}`, { body: { password_reset: true } });
    const { secret } = link.body.password_link;
    const password = 'a password of this test';
    await service.call('POST', '/api/auth/password', { token: null, body: { secret, password } });
    const body = { username: 'tom@example.com', password, workspace: 'demo' };
    const { token } = (await service.call('POST', '/api/auth/login', { token: null, body })).body;
    const ask = (of: TestService) => of.call('GET', '/api/members', { token });
    expect([(await ask(service)).status, (await ask(other)).status]).toEqual([200, 200]);
    await provider.setGroups('tom', ['reviewers']);
    expect((await signIn('tom')).status).toBe(200);
    await until('the end', async () => (await ask(service)).status === 401);
    await until('the end', async () => (await ask(other)).status === 401);
  }, 30_000);

  it.each([
    ['numbers', [1, 2]],
    ['an object', { a: 'managers' }],
    ['too many', Array.from({ length: 2_001 }, (_, n) => `group-${n}`)],
    ['ten thousand', Array.from({ length: 10_000 }, (_, n) => `group-${n}`)],
    ['nested', JSON.parse(`${'['.repeat(2_000)}"managers"${']'.repeat(2_000)}`)],
    ['in a text that names a prototype', [{ __proto__: 'managers', toString: 'managers' }]],
  ])('that are %s let nobody in, and change nothing', async (_, groups) => {
    await provider.setGroups('nora', groups);
    const reply = await signIn('nora');
    expect([reply.status, reply.cookie]).toEqual([403, '']);
    expect(reply.text).toContain('does not say in which groups');
    expect(await memberOf('nora')).toBeUndefined();
  });

  it('are told by every character, and a role is no group', async () => {
    const like = [
      'managers\u200b',
      '\u2060managers',
      'ｍanagers',
      'Managers',
      ' managers',
      'managers\n',
      'm\u0430nagers',
    ];
    await provider.setGroups('nora', [
      ...like,
      'manager',
      'reviewer',
      'constructor',
      '__proto__',
      'managers,reviewers',
    ]);
    const reply = await signIn('nora');
    expect([reply.status, reply.cookie]).toEqual([403, '']);
    expect(await memberOf('nora')).toBeUndefined();
  });

  it('add somebody once who signs in twice at a time', async () => {
    await provider.setGroups('dora', ['reviewers']);
    const replies = await Promise.all(['dora', 'dora', 'dora'].map(signIn));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await memberOf('dora')).version).toBe(1);
  });

  it('leave a log that holds', async () => {
    expect((await service.call('POST', '/api/trust/ledger-checks')).body.findings).toEqual([]);
  });
});
