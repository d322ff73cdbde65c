import { describe, expect, it } from '@jest/globals';
import { parseUserToken, sessionTokenSecretOf } from '@answer-evidence/access';
import { CONSOLE_IDLE_SECONDS, CONSOLE_LIFE_SECONDS } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatTimestamp } from '@answer-evidence/encoding';
import { addMember, addWithPassword, PASSWORD } from '../../fixtures/accounts.ts';
import { createFakeConsole, type FakeBrowser, type FakeConsole, signBrowserIn } from '../../fixtures/console.ts';
import { admitBrowser } from './admit-browser.ts';

const SECOND = 1_000_000;

async function open(role: 'member' | 'manager' = 'member', options: Parameters<typeof createFakeConsole>[0] = {}) {
  const stage = createFakeConsole(options);
  const anna = await addWithPassword(stage, 'anna', role);
  return { stage, anna, browser: await signBrowserIn(stage, 'anna') };
}

function show(stage: FakeConsole, { cookie }: FakeBrowser) {
  return stage.call('GET', '/console/session', { headers: { cookie } });
}

function admit(stage: FakeConsole, method: string, headers: Readonly<Record<string, string>>) {
  return admitBrowser(stage.deps, { method, header: (name) => headers[name] });
}

describe('signing in', () => {
  it('gives a cookie that no script reads and no other site sends, and says who is signed in', async () => {
    const { stage, anna, browser } = await open();
    expect(browser.setCookie).toMatch(
      /^__Secure-answer-evidence=aec_[\w-]{64}; Path=\/console; Max-Age=43200; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(browser.session).toMatchObject({
      workspace: { id: stage.workspace.id, slug: 'acme', name: 'Acme' },
      member: { id: anna.id, name: 'anna', role: 'member' },
    });
    expect(await show(stage, browser)).toMatchObject({ status: 200, body: browser.session });
    expect(stage.database.rows.ledger_leaves.at(-1)?.type).toBe('token_issued');
  });

  it('is for what is below the public address', async () => {
    const stage = createFakeConsole({ basePath: '/evidence' });
    await addWithPassword(stage, 'anna');
    expect((await signBrowserIn(stage, 'anna')).setCookie).toContain('; Path=/evidence/console;');
  });

  it('is refused as the login of the API is, and counted with it', async () => {
    const { stage } = await open();
    for (const body of [
      { name: 'anna', password: 'a wrong password' },
      { name: 'nobody', password: PASSWORD },
      { name: 'anna', password: PASSWORD, workspace: 'another' },
    ])
      expect(await stage.call('POST', '/console/session', { body })).toMatchObject({
        status: 401,
        code: 'login_failed',
      });
    expect(stage.loginThrottle.told.filter((line) => line.endsWith(': right'))).toHaveLength(1);
    expect(stage.loginThrottle.told).toHaveLength(5);
  });

  it('never takes over a cookie that the browser had before, and ends the session of it', async () => {
    const { stage, browser } = await open();
    const planted = '__Secure-answer-evidence=aec_' + 'A'.repeat(64);
    const second = await signBrowserIn(stage, 'anna', `other=1; ${planted}`);
    expect(second.cookie).not.toBe(planted);
    const third = await signBrowserIn(stage, 'anna', browser.cookie);
    expect([browser.cookie, second.cookie]).not.toContain(third.cookie);
    expect(third.session.csrf_token).not.toBe(browser.session.csrf_token);
    expect(await show(stage, browser)).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(await show(stage, second)).toMatchObject({ status: 200 });
  });

  it('is found behind cookies that a neighbouring host has planted', async () => {
    const { stage, browser } = await open();
    const name = '__Secure-answer-evidence';
    const stale = await signBrowserIn(stage, 'anna', browser.cookie);
    const planted = [`${name}=junk`, `${name}=`, `${name}=aec_${'A'.repeat(64)}`, browser.cookie];
    for (const cookie of [...planted.map((one) => `${one}; ${stale.cookie}`), [...planted, stale.cookie].join('; ')])
      expect((await show(stage, { ...stale, cookie })).status).toBe(200);
    expect((await show(stage, { ...stale, cookie: planted.join('; ') })).status).toBe(401);
    const crowd = Array.from({ length: 8 }, (_, n) => `${name}=aec_${'A'.repeat(63)}${'AQgwEIMU'[n]}`);
    expect((await show(stage, { ...stale, cookie: [...crowd, stale.cookie].join('; ') })).status).toBe(401);
  });

  it('stores neither the secret of the cookie nor that of the token', async () => {
    const { stage, anna, browser } = await open();
    const token = parseUserToken(await admit(stage, 'GET', { cookie: browser.cookie }));
    const [stored] = await stage.consoleSessions.ofMember(stage.workspace.id, anna.id);
    const secret = Buffer.from(browser.cookie.split('aec_')[1] ?? '', 'base64url').subarray(16);
    expect(stored?.key).toEqual(sha256(secret));
    expect(stored?.tokenId).toBe(token.tokenId);
    expect(token.secret).toEqual(sessionTokenSecretOf(secret, stored?.salt ?? new Uint8Array()));
    const text = JSON.stringify(stored, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
    );
    for (const hidden of [secret, token.secret]) expect(text).not.toContain(Buffer.from(hidden).toString('hex'));
    expect(JSON.stringify(browser.session)).not.toContain('aeu_');
  });

  it('by a link sets the password once, and signs in with it', async () => {
    const stage = createFakeConsole();
    const link = (await addMember(stage, 'anna')).password_link?.url;
    const use = () => stage.call('POST', '/console/session/link', { body: { link, password: PASSWORD } });
    expect(await use()).toMatchObject({ status: 200, body: { member: { name: 'anna' } } });
    expect(await use()).toMatchObject({ status: 401, code: 'link_not_valid' });
    expect((await signBrowserIn(stage, 'anna')).session.member.name).toBe('anna');
  });

  it.each(['cross-site', 'same-site'])('is refused to a page of another site (%s)', async (site) => {
    const { stage } = await open();
    for (const path of ['/console/session', '/console/session/link']) {
      const body = { name: 'anna', link: 'x', password: PASSWORD };
      const { name, link, password } = body;
      const sent = path.endsWith('link') ? { link, password } : { name, password };
      const reply = await stage.call('POST', path, { body: sent, headers: { 'sec-fetch-site': site } });
      expect(reply).toMatchObject({ status: 403, code: 'csrf_token_not_valid' });
    }
  });
});

describe('a session', () => {
  it('ends when nothing was asked of it for half an hour, however often it is looked at', async () => {
    const { stage, browser } = await open();
    const { cookie } = browser;
    stage.clock.advance((CONSOLE_IDLE_SECONDS - 60) * SECOND);
    await admit(stage, 'GET', { cookie });
    stage.clock.advance((CONSOLE_IDLE_SECONDS - 60) * SECOND);
    expect(await show(stage, browser)).toMatchObject({ status: 200 });
    stage.clock.advance(60 * SECOND);
    expect(await show(stage, browser)).toMatchObject({ status: 401, code: 'unauthenticated' });
    await expect(admit(stage, 'GET', { cookie })).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('ends after twelve hours, however much it is used', async () => {
    const { stage, browser } = await open();
    for (let passed = 0; passed < CONSOLE_LIFE_SECONDS - 600; passed += 600) {
      stage.clock.advance(600 * SECOND);
      await admit(stage, 'GET', { cookie: browser.cookie });
    }
    stage.clock.advance(600 * SECOND);
    expect(await show(stage, browser)).toMatchObject({ status: 401 });
  });

  it('lasts as long as the operator says, and says so', async () => {
    const { stage, browser } = await open('member', { sessionLife: { seconds: 600, idleSeconds: 300 } });
    expect(browser.setCookie).toContain('Max-Age=600;');
    const { expires_at: end, idle_expires_at: idleEnd } = browser.session;
    expect(Date.parse(end) - Date.parse(idleEnd)).toBe(300_000);
    const token = stage.database.rows.tokens.find(({ name }) => name.startsWith('console-anna-'));
    expect(formatTimestamp(token?.expires_at ?? 0).slice(0, 19)).toBe(end.slice(0, 19));
    for (const _ of [1, 2]) {
      stage.clock.advance(290 * SECOND);
      await admit(stage, 'GET', { cookie: browser.cookie });
    }
    stage.clock.advance(20 * SECOND);
    expect(await show(stage, browser)).toMatchObject({ status: 401 });
    const other = await signBrowserIn(stage, 'anna');
    stage.clock.advance(300 * SECOND);
    expect(await show(stage, other)).toMatchObject({ status: 401 });
  });

  it('does not last longer because the clock was ahead when it was opened or used, and was set right', async () => {
    const ahead = 400 * 86_400 * SECOND;
    const { stage } = await open();
    const life = { seconds: 3_600, idleSeconds: 600 };
    stage.clock.advance(ahead);
    const opened = await signBrowserIn(stage, 'anna');
    stage.clock.advance(-ahead);
    expect(await show(stage, opened)).toMatchObject({ status: 401 });
    const used = await open('member', { sessionLife: life });
    used.stage.clock.advance(599 * SECOND);
    await admit(used.stage, 'GET', { cookie: used.browser.cookie });
    used.stage.clock.advance(-599 * SECOND);
    expect(await show(used.stage, used.browser)).toMatchObject({ status: 200 });
    used.stage.clock.advance(-2 * SECOND);
    expect(await show(used.stage, used.browser)).toMatchObject({ status: 401 });
  });

  it.each([
    ['another role', { role: 'manager' }],
    ['no account', { disabled: true }],
    ['another password', { password_reset: true }],
  ])('ends when its member gets %s', async (_, change) => {
    const { stage, anna, browser } = await open();
    const changed = await stage.call('PATCH', `/api/members/${anna.id}`, { as: stage.manager, body: change });
    expect(changed.status).toBe(200);
    expect(await show(stage, browser)).toMatchObject({ status: 401, code: 'unauthenticated' });
    await expect(admit(stage, 'GET', { cookie: browser.cookie })).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('ends with its member', async () => {
    const { stage, anna, browser } = await open();
    await stage.call('DELETE', `/api/members/${anna.id}`, { as: stage.manager });
    expect(await show(stage, browser)).toMatchObject({ status: 401 });
  });

  it('is no other one for any cookie that is not its own', async () => {
    const { stage, browser } = await open();
    const [name, value = ''] = browser.cookie.split('=');
    for (const cookie of [
      '',
      `${name}=`,
      `${name}=aec_`,
      `${name}=${value.slice(0, -1)}`,
      `${name}=${value.slice(0, -2)}AA`,
      `${name}=aec_${'A'.repeat(64)}`,
      `${name}=${value.toUpperCase()}`,
      `x${browser.cookie}`,
    ])
      expect(await stage.call('GET', '/console/session', { headers: { cookie } })).toMatchObject({ status: 401 });
  });

  it('lets its pages change something with its own token only', async () => {
    const { stage, browser } = await open();
    const another = await signBrowserIn(stage, 'anna');
    const { cookie } = browser;
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      for (const token of [undefined, '', another.session.csrf_token, `${browser.session.csrf_token}A`])
        await expect(
          admit(stage, method, { cookie, ...(token === undefined ? {} : { 'x-csrf-token': token }) }),
        ).rejects.toMatchObject({ code: 'csrf_token_not_valid' });
      const headers = { cookie, 'x-csrf-token': browser.session.csrf_token };
      expect(await admit(stage, method, headers)).toMatch(/^aeu_/);
      await expect(admit(stage, method, { ...headers, 'sec-fetch-site': 'cross-site' })).rejects.toMatchObject({
        code: 'csrf_token_not_valid',
      });
    }
  });

  it.each([
    ['https://evil.example', 'log.example', false],
    ['https://log.example.evil.example', 'log.example', false],
    ['https://log.example:8443', 'log.example', false],
    ['http://log.example@evil.example', 'log.example', false],
    ['null', 'log.example', false],
    ['', 'log.example', false],
    ['https://log.example', 'log.example', true],
    ['https://LOG.example', 'log.example:443', true],
    ['http://localhost:8080', 'localhost:8080', true],
  ])('of an older browser is used by pages of its own host alone: %s at %s', async (origin, host, isOwn) => {
    const { stage, browser } = await open();
    const headers = { cookie: browser.cookie, 'x-csrf-token': browser.session.csrf_token, origin, host };
    const admitted = await admit(stage, 'POST', headers).catch((error: unknown) => error);
    if (isOwn) expect(admitted).toMatch(/^aeu_/);
    else expect(admitted).toMatchObject({ code: 'csrf_token_not_valid' });
    // A browser that says how its page and this host stand to one another is believed, whatever a proxy makes of hosts.
    expect(await admit(stage, 'POST', { ...headers, 'sec-fetch-site': 'same-origin' })).toMatch(/^aeu_/);
  });
});

describe('signing out', () => {
  it('ends this session, revokes its token and removes the cookie', async () => {
    const { stage, browser } = await open();
    const another = await signBrowserIn(stage, 'anna');
    const { tokenId } = parseUserToken(await admit(stage, 'GET', { cookie: browser.cookie }));
    const headers = { cookie: browser.cookie, 'x-csrf-token': browser.session.csrf_token };
    expect(await stage.call('DELETE', '/console/session', { headers: { cookie: browser.cookie } })).toMatchObject({
      status: 403,
      code: 'csrf_token_not_valid',
    });
    const reply = await stage.call('DELETE', '/console/session', { headers });
    expect(reply.status).toBe(204);
    expect(JSON.stringify(reply.headers)).toContain('__Secure-answer-evidence=; Path=/console; Max-Age=0;');
    expect(stage.database.rows.tokens.find(({ id }) => id === tokenId)?.revoked_at).not.toBeNull();
    expect(await show(stage, browser)).toMatchObject({ status: 401 });
    expect(await show(stage, another)).toMatchObject({ status: 200 });
  });

  it('everywhere ends every session of the member, and nobody else’s', async () => {
    const { stage, browser } = await open();
    await addWithPassword(stage, 'ben');
    const [second, other] = [await signBrowserIn(stage, 'anna'), await signBrowserIn(stage, 'ben')];
    const headers = { cookie: browser.cookie, 'x-csrf-token': browser.session.csrf_token };
    expect((await stage.call('DELETE', '/console/sessions', { headers })).status).toBe(204);
    for (const ended of [browser, second]) expect(await show(stage, ended)).toMatchObject({ status: 401 });
    expect(await show(stage, other)).toMatchObject({ status: 200 });
  });
});
