import { describe, expect, it } from '@jest/globals';
import { parseUserToken } from '@answer-evidence/access';
import { DEVICE_LOGIN_SECONDS, deviceLogin, loginReply, ServiceError } from '@answer-evidence/contracts';
import { addWithPassword } from '../../fixtures/accounts.ts';
import { createFakeConsole, type FakeBrowser, type FakeConsole, signBrowserIn } from '../../fixtures/console.ts';

const SECOND = 1_000_000;
const CLIENT = { client_name: 'CLI on laptop' };

async function open(role: 'member' | 'manager' = 'member') {
  const stage = createFakeConsole();
  const anna = await addWithPassword(stage, 'anna', role);
  return { stage, anna, browser: await signBrowserIn(stage, 'anna') };
}
const begin = async ({ call }: FakeConsole, body: object = CLIENT) => {
  const reply = await call('POST', '/api/auth/device', { body });
  expect(reply).toMatchObject({ status: 200 });
  return deviceLogin.parse(reply.body);
};
const ask = ({ call }: FakeConsole, code: string) =>
  call('POST', '/api/auth/device/token', { body: { device_code: code } });
const headersOf = ({ cookie, session }: FakeBrowser) => ({ cookie, 'x-csrf-token': session.csrf_token });
const find = ({ call }: FakeConsole, browser: FakeBrowser, code: string) =>
  call('POST', '/console/device-logins/find', { body: { user_code: code }, headers: headersOf(browser) });
const decide = ({ call }: FakeConsole, browser: FakeBrowser, code: string, decision = 'approve') =>
  call('POST', '/console/device-logins', { body: { user_code: code, decision }, headers: headersOf(browser) });

describe('the sign-in of a device', () => {
  it('waits, is shown to a person with what it asks for, and gives a token once it is approved', async () => {
    const { stage, anna, browser } = await open('manager');
    const terms = { ...CLIENT, token_name: 'laptop', expires_in_seconds: 7_200 };
    const begun = await begin(stage, terms);
    expect(begun).toMatchObject({
      device_code: expect.stringMatching(/^aed_[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_url: 'https://acme.example/console/device',
      expires_in_seconds: DEVICE_LOGIN_SECONDS,
    });
    expect(await ask(stage, begun.device_code)).toMatchObject({ status: 400, code: 'authorization_pending' });
    const typed = ` ${begun.user_code.toLowerCase().replace('-', '')} `;
    expect((await find(stage, browser, typed)).body).toMatchObject({
      client_name: 'CLI on laptop',
      address: expect.any(String),
      user_code: begun.user_code,
      role: 'manager',
      token_life_seconds: 7_200,
    });
    expect((await decide(stage, browser, typed)).status).toBe(204);
    stage.clock.advance(5 * SECOND);
    const reply = await ask(stage, begun.device_code);
    expect(reply.status).toBe(200);
    const issued = loginReply.parse(reply.body);
    expect(issued).toMatchObject({
      name: 'laptop',
      kind: 'user',
      user_id: anna.id,
      profile: { username: 'anna', tenant_slug: 'acme', role: 'manager' },
    });
    expect(parseUserToken(issued.token).tokenId).toBe(issued.id);
    // The log names the session whose person said so.
    const session = (await stage.consoleSessions.ofMember(stage.workspace.id, anna.id))[0];
    const core = stage.database.rows.workspace_entries.at(-1)?.core_json ?? '';
    expect(core).toContain(`"token_id":"${session?.tokenId}"`);
  });

  it('gives one token, also to many who ask at once, and none after', async () => {
    const { stage, browser } = await open();
    const { device_code: code, user_code: userCode } = await begin(stage);
    await decide(stage, browser, userCode);
    const replies = await Promise.all([1, 2, 3].map(() => ask(stage, code)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(await ask(stage, code)).toMatchObject({ status: 404, code: 'device_code_not_valid' });
    expect(await find(stage, browser, userCode)).toMatchObject({ status: 404, code: 'device_code_not_valid' });
  });

  it('begins and asks when it is the turn of its address, and is told when that has too many waiting', async () => {
    const turns: string[] = [];
    let isFull = false;
    const stage = createFakeConsole({
      inTurnOfAddress(address, task) {
        turns.push(address);
        return isFull ? Promise.reject(new ServiceError('overloaded', 'too many', { remedy: 'retry' })) : task();
      },
    });
    const begun = await begin(stage);
    expect(await ask(stage, begun.device_code)).toMatchObject({ status: 400, code: 'authorization_pending' });
    expect(turns).toEqual(['192.0.2.1', '192.0.2.1']);
    isFull = true;
    expect(await stage.call('POST', '/api/auth/device', { body: CLIENT })).toMatchObject({ status: 503 });
    expect(await ask(stage, begun.device_code)).toMatchObject({ status: 503, code: 'overloaded' });
  });

  it('is told to slow down when it asks too often, and waits longer from then on', async () => {
    const { stage } = await open();
    const { device_code: code } = await begin(stage);
    await ask(stage, code);
    const hasty = await ask(stage, code);
    expect(hasty).toMatchObject({ status: 400, code: 'slow_down' });
    expect(hasty.detail).toContain('10 s');
    stage.clock.advance(6 * SECOND);
    expect(await ask(stage, code)).toMatchObject({ code: 'slow_down' });
    stage.clock.advance(15 * SECOND);
    expect(await ask(stage, code)).toMatchObject({ code: 'authorization_pending' });
  });

  it('is over when the person denies it, and cannot be approved after', async () => {
    const { stage, browser } = await open();
    const { device_code: code, user_code: userCode } = await begin(stage);
    expect((await decide(stage, browser, userCode, 'deny')).status).toBe(204);
    expect(await decide(stage, browser, userCode)).toMatchObject({ status: 404 });
    for (let times = 0; times < 2; times++)
      expect(await ask(stage, code)).toMatchObject({ status: 403, code: 'access_denied' });
  });

  it('expires, before and after it is approved', async () => {
    const { stage, browser } = await open();
    const [waiting, approved] = [await begin(stage), await begin(stage)];
    await decide(stage, browser, approved.user_code);
    stage.clock.advance(DEVICE_LOGIN_SECONDS * SECOND);
    for (const { device_code: code, user_code: userCode } of [waiting, approved]) {
      expect(await ask(stage, code)).toMatchObject({ status: 404, code: 'device_code_not_valid' });
      expect(await decide(stage, browser, userCode)).toMatchObject({ status: 404 });
    }
  });

  it('is of no use when its person got another password, or may not sign in any more', async () => {
    for (const change of [{ password_reset: true }, { disabled: true }]) {
      const { stage, anna, browser } = await open();
      const { device_code: code, user_code: userCode } = await begin(stage);
      await decide(stage, browser, userCode);
      await stage.call('PATCH', `/api/members/${anna.id}`, { as: stage.manager, body: change });
      expect(await ask(stage, code)).toMatchObject({ status: 401, code: 'login_failed' });
      expect(await ask(stage, code)).toMatchObject({ status: 404 });
    }
  });

  it.each(['', 'x', 'aed_', `aed_${'A'.repeat(43)}`, `aed_${'A'.repeat(42)}`, 'aeu_' + 'A'.repeat(43)])(
    'is none for the wrong device code %j',
    async (code) => {
      const { stage } = await open();
      await begin(stage);
      const reply = await ask(stage, code);
      expect([404, 422]).toContain(reply.status);
      expect(reply.detail).not.toContain(code === '' ? 'aed_' : code);
    },
  );

  it('for a workspace that does not exist gets codes like any other, which nobody can approve', async () => {
    const { stage, browser } = await open();
    const begun = await begin(stage, { ...CLIENT, workspace: 'nowhere' });
    expect(begun.verification_url).toBe('https://nowhere.example/console/device');
    expect(await ask(stage, begun.device_code)).toMatchObject({ status: 400, code: 'authorization_pending' });
    expect(await decide(stage, browser, begun.user_code)).toMatchObject({ status: 404 });
  });

  it('is refused to nobody because others wait, for workspaces that do not exist or for this one', async () => {
    const { stage, browser } = await open();
    const early = await begin(stage);
    for (let times = 0; times < 1_100; times++) await begin(stage, { ...CLIENT, workspace: 'nowhere' });
    const begun = await begin(stage);
    expect(await find(stage, browser, begun.user_code)).toMatchObject({ status: 200 });
    // All of them came from one address here, whose oldest ones have gone.
    expect(await ask(stage, early.device_code)).toMatchObject({ status: 404 });
  });

  it('is asked for at the host of its own workspace, or at one of none', async () => {
    const stage = createFakeConsole({
      workspaceOfHost: (host) => {
        const [slug = '', rest] = (host ?? '').split('.');
        return Promise.resolve(rest === 'test' ? { slug, displayName: slug } : undefined);
      },
    });
    await addWithPassword(stage, 'anna', 'member');
    const browser = await signBrowserIn(stage, 'anna');
    const askAt = async (host: string, code: string) => {
      const reply = await stage.call('POST', '/api/auth/device/token', {
        body: { device_code: code },
        headers: { host },
      });
      return reply.code ?? reply.status;
    };
    const begun = await begin(stage, { ...CLIENT, workspace: 'acme' });
    // Another host does not tell a workspace that there is from one that there is not.
    const unknown = await begin(stage, { ...CLIENT, workspace: 'nowhere' });
    for (const { device_code: code } of [begun, unknown])
      expect(await askAt('demo.test', code)).toBe('device_code_not_valid');
    stage.clock.advance(60 * SECOND);
    expect(await askAt('acme.test', begun.device_code)).toBe('authorization_pending');
    expect(await askAt('nowhere.test', unknown.device_code)).toBe('authorization_pending');
    await decide(stage, browser, begun.user_code);
    stage.clock.advance(60 * SECOND);
    expect(await askAt('demo.test', begun.device_code)).toBe('device_code_not_valid');
    expect(await askAt('acme.test', begun.device_code)).toBe(200);
  });

  it.each([
    [{}, '/client_name'],
    [{ client_name: 'a\u001b[31mb' }, '/client_name'],
    [{ client_name: '' }, '/client_name'],
    [{ client_name: ' \u3000' }, '/client_name'],
    [{ client_name: 'a\u200bb' }, '/client_name'],
    [{ client_name: 'a\u202eb' }, '/client_name'],
    [{ client_name: 'a\u2067b' }, '/client_name'],
    [{ client_name: 'a\u2028b' }, '/client_name'],
    [{ client_name: 'x'.repeat(101) }, '/client_name'],
    [{ ...CLIENT, expires_in_seconds: 1 }, '/expires_in_seconds'],
  ])('is refused for %j', async (body, pointer) => {
    const { stage } = await open();
    const reply = await stage.call('POST', '/api/auth/device', { body });
    expect(reply).toMatchObject({ status: 422, errors: [{ pointer }] });
  });
});

describe('a person who decides about the sign-in of a device', () => {
  it('needs a session, and a page of it', async () => {
    const { stage, browser } = await open();
    const { user_code: userCode } = await begin(stage);
    for (const [path, body] of [
      ['/console/device-logins/find', { user_code: userCode }],
      ['/console/device-logins', { user_code: userCode, decision: 'approve' }],
    ] as const) {
      const csrf = { 'x-csrf-token': browser.session.csrf_token };
      expect(await stage.call('POST', path, { body })).toMatchObject({ status: 401 });
      const wrong: readonly Readonly<Record<string, string>>[] = [
        { cookie: browser.cookie },
        { cookie: browser.cookie, 'x-csrf-token': 'A'.repeat(43) },
        { cookie: browser.cookie, ...csrf, 'sec-fetch-site': 'cross-site' },
      ];
      for (const headers of wrong)
        expect(await stage.call('POST', path, { body, headers })).toMatchObject({
          status: 403,
          code: 'csrf_token_not_valid',
        });
    }
    expect((await find(stage, browser, userCode)).status).toBe(200);
  });

  it('has each wrong code counted, and no right one', async () => {
    const { stage, browser } = await open();
    const { user_code: userCode } = await begin(stage);
    const before = stage.loginThrottle.told.length;
    await find(stage, browser, 'BBBB-BBBB');
    await decide(stage, browser, 'not a code');
    await find(stage, browser, userCode);
    const told = stage.loginThrottle.told.slice(before);
    expect(told.map((line) => line.endsWith(': not verified'))).toEqual([false, false, false, true]);
  });

  it('is held back after too many wrong ones, also from a right one', async () => {
    const attempt = { rank: 'first', succeed: () => Promise.resolve(), withdraw: () => Promise.resolve() } as const;
    const stage = createFakeConsole({
      loginThrottle: {
        begin: (account) =>
          account.startsWith('device\n')
            ? Promise.reject(new ServiceError('rate_limited', 'too many', { retryAfterSeconds: 360 }))
            : Promise.resolve(attempt),
      },
    });
    await addWithPassword(stage, 'anna');
    const browser = await signBrowserIn(stage, 'anna');
    const { user_code: userCode } = await begin(stage);
    expect(await find(stage, browser, userCode)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(await decide(stage, browser, userCode)).toMatchObject({ status: 429, code: 'rate_limited' });
  });
});
