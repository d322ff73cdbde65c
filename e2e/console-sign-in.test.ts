import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeInBrowser, openBrowser } from '../tools/scenery/browser.ts';
import type { TestService } from '../tools/scenery/test-service.ts';
import {
  addMember,
  endSessions,
  findBarriers,
  openTestConsole,
  takePictures,
  type TestConsole,
} from './support/console.ts';
import { askProvider, CLIENT, openTestProvider, PEOPLE, type TestProvider } from './support/openid-provider.ts';

const DEADLINE_MS = 60_000;
const BEGIN = '/console/sign-in/provider';

/** Members whom a provider names by an address that it has verified. */
const BY_NAME = ['olaf.okta@example.com', 'gina@example.com'];

let site: TestConsole;
let provider: TestProvider;
let service: TestService;

beforeAll(async () => {
  provider = await openTestProvider();
  site = await openTestConsole({
    SERVICE_OIDC_ISSUER: provider.issuer,
    SERVICE_OIDC_CLIENT_ID: CLIENT.id,
    SERVICE_OIDC_CLIENT_SECRET: CLIENT.secret,
    SERVICE_OIDC_WORKSPACE: 'demo',
  });
  service = site.service;
  for (const name of ['anna@example.com', 'ben@example.com', 'unverified@example.com', ...BY_NAME])
    await addMember(service, name, 'member');
  const left = await service.call('GET', '/api/members');
  const ben = left.body.items.find(({ username }: { username: string }) => username === 'ben@example.com');
  await service.call('PATCH', `/api/members/${String(ben.id)}`, { body: { disabled: true } });
}, DEADLINE_MS);

afterAll(async () => {
  await site.close();
  await provider.close();
}, DEADLINE_MS);

/** Where a browser is sent, and what it keeps. */
async function begin(next?: string): Promise<{ readonly address: URL; readonly cookie: string }> {
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
  const reply = await fetch(`${service.baseUrl}${BEGIN}${query}`, { redirect: 'manual' });
  expect(reply.status).toBe(303);
  const cookie = reply.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^__Host-[^;]+; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/);
  return { address: new URL(reply.headers.get('location') ?? ''), cookie: cookie.split(';')[0] ?? '' };
}

function comeBack(returned: URL, cookie: string) {
  return service.call('GET', returned.pathname + returned.search, { token: null, headers: { cookie } });
}

async function signIn(person: string, next?: string) {
  const { address, cookie } = await begin(next);
  const returned = await askProvider(provider, address, person);
  return { reply: await comeBack(returned, cookie), returned, cookie };
}

describe('a provider that cannot be reached', () => {
  it('lets the service start and say so, and is asked again by the next sign-in', async () => {
    const reply = await service.call('GET', BEGIN, { token: null });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(service.reports.join('\n')).toContain(`the OpenID provider ${provider.issuer} cannot be used`);
    await provider.register(`${service.baseUrl}/console/sign-in/callback`);
    await begin();
  });
});

describe('signing in by OpenID Connect', () => {
  it('opens a session of the member whose name the provider vouches for', async () => {
    const ways = await service.call('GET', '/console/sign-in', { token: null });
    expect(ways).toMatchObject({ status: 200, body: { provider: true } });
    const { reply } = await signIn('anna', '/console/records?status=voided');
    expect([reply.status, reply.text]).toEqual([
      200,
      expect.stringContaining('content="0; url=/console/records?status=voided"'),
    ]);
    const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
    const session = await service.call('GET', '/console/session', { token: null, headers: { cookie } });
    expect(session).toMatchObject({ status: 200, body: { member: { name: 'anna@example.com', role: 'member' } } });
  });

  it('sends a code challenge, a state and a nonce that are new each time', async () => {
    const [one, two] = [await begin(), await begin()];
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const values = [one, two].map(({ address }) => address.searchParams.get(name) ?? '');
      expect(values[0]).toMatch(/^[\w-]{43}$/);
      expect(values[0]).not.toBe(values[1]);
    }
    expect(one.address.searchParams.get('code_challenge_method')).toBe('S256');
  });

  it('takes each code once', async () => {
    const { reply, returned, cookie } = await signIn('anna');
    expect([reply.status, (await comeBack(returned, cookie)).status]).toEqual([200, 401]);
  });

  it('refuses what does not belong to the attempt of this browser, and repeats nothing of it', async () => {
    const [mine, theirs] = [await begin(), await begin()];
    const their = await askProvider(provider, theirs.address, 'anna');
    const swapped = new URL(their);
    swapped.searchParams.set('state', mine.address.searchParams.get('state') ?? '');
    const changed = (name: string, value: string) => {
      const url = new URL(their);
      url.searchParams.set(name, value);
      return url;
    };
    const denied = new URL(swapped);
    denied.searchParams.delete('code');
    denied.searchParams.set('error', 'access_denied');
    for (const [what, url, cookie] of [
      ['no cookie', their, ''],
      ['the cookie of another attempt', their, mine.cookie],
      ['a damaged cookie', their, `${theirs.cookie.slice(0, 40)}.x`],
      ['the code of another attempt', swapped, mine.cookie],
      ['another state', changed('state', 'A'.repeat(43)), theirs.cookie],
      ['another issuer', changed('iss', 'http://localhost:9'), theirs.cookie],
      ['an invented code', changed('code', 'invented'), theirs.cookie],
      ['a refusal', denied, mine.cookie],
    ] as const) {
      const reply = await comeBack(url, cookie);
      expect([what, reply.status, reply.headers.get('set-cookie')]).toEqual([what, 401, null]);
      expect(reply.text).not.toContain(url.searchParams.get('state'));
    }
  });

  it.each([
    ['is no member', 'nobody', 403],
    ['is disabled', 'ben', 403],
    ['has an address that was not verified', 'unverified', 401],
  ])('opens nothing for somebody who %s, and adds no member', async (_, person, status) => {
    const before = (await service.call('GET', '/api/members')).body.total as number;
    const { reply } = await signIn(person);
    expect([reply.status, reply.headers.get('set-cookie')]).toEqual([status, null]);
    expect(reply.text).not.toContain(`${person}@`);
    expect((await service.call('GET', '/api/members')).body.total).toBe(before);
  });

  it('leads to pages of the console only', async () => {
    for (const next of ['//example.com/console/', 'https://example.com/', '/console/../api/', '/console/"><script>'])
      expect((await signIn('anna', next)).reply.text).toMatch(/content="0; url=\/console\/[^"<>]*">/);
  });
});

describe('a person in the form that a provider sends', () => {
  const memberOf = (name: string) =>
    service
      .call('GET', '/api/members')
      .then((reply) =>
        (reply.body.items as { id: string; username: string }[]).find(({ username }) => username === name),
      );

  it.each(BY_NAME)('signs in by a verified address, whatever its capitals: %s', async (name) => {
    const subject = Object.keys(PEOPLE).find((one) => String(PEOPLE[one]?.['email']).toLowerCase() === name) ?? '';
    expect((await signIn(subject)).reply.status).toBe(200);
  });

  it.each(Object.keys(PEOPLE).filter((one) => !BY_NAME.includes(String(PEOPLE[one]?.['email']).toLowerCase())))(
    'reads their subject on the page, and signs in once a manager has linked it: %s',
    async (subject) => {
      const refused = (await signIn(subject)).reply;
      expect([401, 403]).toContain(refused.status);
      expect(refused.text).toContain(`<code>${subject}</code>`);
      expect(refused.text).toContain(`<code>${provider.issuer}</code>`);
      const name = `linked-${Object.keys(PEOPLE).indexOf(subject)}`;
      await service.call('POST', '/api/members', { body: { username: name } });
      const path = `/api/members/${String((await memberOf(name))?.id)}`;
      // Without an issuer it is the one of the settings.
      const linked = await service.call('PATCH', path, { body: { provider: { subject } } });
      expect(linked).toMatchObject({ status: 200, body: { provider: { issuer: provider.issuer, subject } } });
      const { reply } = await signIn(subject);
      expect(reply.status).toBe(200);
      const headers = { cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '' };
      const session = () => service.call('GET', '/console/session', { token: null, headers });
      expect(await session()).toMatchObject({ status: 200, body: { member: { name } } });
      await service.call('PATCH', path, { body: { provider: null } });
      expect((await session()).status).toBe(401);
      expect([401, 403]).toContain((await signIn(subject)).reply.status);
    },
  );
});

describeInBrowser('Chromium', () => {
  it('is signed in after it comes back from the site of the provider', async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`${service.baseUrl}${BEGIN}?next=${encodeURIComponent('/console/records')}`);
      await page.waitForURL(`${service.baseUrl}/console/records`);
      const status = await page.evaluate(async () => (await fetch('/console/session')).status);
      expect(status).toBe(200);
    } finally {
      await browser.close();
    }
  });
});

describeInBrowser('the button of the provider', () => {
  it('leads there and back to the page that was asked for, and again when the session has ended', async () => {
    const browser = await openBrowser();
    try {
      const context = await browser.newContext({ locale: 'en-GB' });
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      await page.goto(`${site.url}records?external_message_id=message-1`);
      const button = page.getByRole('link', { name: 'Sign in with your organization' });
      await button.waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await takePictures(page, 'sign-in-provider');
      await button.click();
      await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
      expect(page.url()).toBe(`${site.url}records?external_message_id=message-1`);
      await page.getByLabel('Environment').and(page.locator('input')).fill('typed before');
      await endSessions(service, 'anna@example.com');
      await page.getByRole('button', { name: 'Search' }).click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      const [tab] = await Promise.all([
        context.waitForEvent('page'),
        dialog.getByRole('link', { name: 'Sign in with your organization' }).click(),
      ]);
      await tab.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
      await tab.close();
      await page.bringToFront();
      await page.evaluate('dispatchEvent(new Event("focus"))');
      await dialog.waitFor({ state: 'detached' });
      expect(await page.getByLabel('Environment').and(page.locator('input')).inputValue()).toBe('typed before');
    } finally {
      await browser.close();
    }
  });
});

describe('a provider that is gone', () => {
  it('is told to people on a page', async () => {
    const { address, cookie } = await begin();
    const returned = await askProvider(provider, address, 'anna');
    await provider.close();
    const reply = await comeBack(returned, cookie);
    expect([reply.status, reply.headers.get('set-cookie')]).toEqual([503, null]);
  });
});
