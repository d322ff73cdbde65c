import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeInBrowser, openBrowser } from '../tools/scenery/browser.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';

const PASSWORD = 'a password of the tests';
const DEADLINE_MS = 60_000;

/** A browser with a session. */
type Browser = { readonly cookie: string; readonly csrf: string };

let folder: string;
let service: TestService;
/** A second process on the same database, as behind a proxy that chooses one for each request. */
let another: TestService;
let manager: Browser;
let member: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-console-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>console</title>');
  await writeFile(join(folder, 'assets/app-1.js'), 'start()');
  const environment = { SERVICE_CONSOLE_DIR: folder };
  service = await openTestService({ environment });
  another = await openTestService({ environment, share: service });
  await addMember('mia', 'manager');
  await addMember('max', 'member');
  manager = await signIn('mia');
  member = await signIn('max');
}, DEADLINE_MS);

afterAll(async () => {
  await another.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
}, DEADLINE_MS);

async function addMember(username: string, role: string): Promise<void> {
  const made = await service.call('POST', '/api/members', { body: { username, role } });
  const { secret } = made.body.password_link as { secret: string };
  await service.call('POST', '/api/auth/password', { token: null, body: { secret, password: PASSWORD } });
}

async function signIn(name: string): Promise<Browser> {
  const reply = await service.call('POST', '/console/session', { token: null, body: { name, password: PASSWORD } });
  expect([name, reply.status]).toEqual([name, 200]);
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { cookie, csrf: reply.body.csrf_token as string };
}

function ask(browser: Browser, method: string, path: string, body?: unknown, at: TestService = service) {
  const headers = { cookie: browser.cookie, ...(method === 'GET' ? {} : { 'x-csrf-token': browser.csrf }) };
  return at.call(method, path, { token: null, headers, ...(body === undefined ? {} : { body }) });
}

describe('a browser with a session', () => {
  it('reaches the API as its member, by any process', async () => {
    for (const at of [service, another]) {
      const me = await ask(manager, 'GET', '/console/api/whoami', undefined, at);
      expect(me).toMatchObject({ status: 200, body: { kind: 'user', username: 'mia', role: 'manager' } });
    }
    const made = await ask(manager, 'POST', '/console/api/answer-audit-logs', answer('asked in the console'));
    expect(made.status).toBe(201);
    const list = await ask(member, 'GET', '/console/api/answer-audit-logs?size=1', undefined, another);
    expect([list.status, list.body.items.length]).toEqual([200, 1]);
  });

  it('may do what its member may, and no more', async () => {
    expect(await ask(member, 'GET', '/console/api/members')).toMatchObject({ body: { code: 'role_not_allowed' } });
    expect((await ask(manager, 'GET', '/console/api/members')).status).toBe(200);
  });

  it('changes nothing without the token of its pages', async () => {
    const bare = { token: null, body: answer('forged'), headers: { cookie: manager.cookie } };
    const refused = await service.call('POST', '/console/api/answer-audit-logs', bare);
    expect(refused).toMatchObject({ status: 403, body: { code: 'csrf_token_not_valid' } });
    const foreign = { ...bare, headers: { cookie: manager.cookie, 'x-csrf-token': member.csrf } };
    expect((await service.call('POST', '/console/api/answer-audit-logs', foreign)).status).toBe(403);
  });

  it('uploads and downloads through the same way', async () => {
    const form = new FormData();
    form.append('metadata', new Blob(['{"application_key":"support-bot"}'], { type: 'application/json' }));
    form.append('file', new Blob(['evidence of the console']), 'notes.txt');
    const sent = await fetch(`${service.baseUrl}/console/api/evidence-assets`, {
      method: 'POST',
      body: form,
      headers: { cookie: manager.cookie, 'x-csrf-token': manager.csrf },
    });
    expect(sent.status).toBe(201);
    const asset = (await sent.json()) as { id: string };
    const found = await ask(member, 'GET', `/console/api/evidence-assets/${asset.id}`);
    expect(found).toMatchObject({ status: 200, body: { id: asset.id } });
  });

  it('is not taken at the API itself, and brings no token of its own to the console', async () => {
    expect(
      (await service.call('GET', '/api/whoami', { token: null, headers: { cookie: manager.cookie } })).status,
    ).toBe(401);
    expect((await service.call('GET', '/console/api/whoami')).status).toBe(401);
    const login = { name: 'mia', username: 'mia', password: PASSWORD };
    const reply = await ask(manager, 'POST', '/console/api/auth/login', login);
    expect([404, 405]).toContain(reply.status);
    expect(reply.text).not.toContain('aeu_');
  });

  it('stays signed in when the service starts again', async () => {
    const restarted = await openTestService({ environment: { SERVICE_CONSOLE_DIR: folder }, share: service });
    expect((await ask(member, 'GET', '/console/session', undefined, restarted)).status).toBe(200);
    await restarted.close();
  });

  it('is out everywhere within the request that signs it out everywhere', async () => {
    const [first, second] = [await signIn('max'), await signIn('max')];
    expect((await ask(first, 'DELETE', '/console/sessions')).status).toBe(204);
    for (const at of [service, another])
      for (const browser of [first, second])
        expect(await ask(browser, 'GET', '/console/api/whoami', undefined, at)).toMatchObject({
          status: 401,
          body: { code: 'unauthenticated' },
        });
    expect((await ask(manager, 'GET', '/console/session')).status).toBe(200);
    member = await signIn('max');
  });
});

describe('a process with the console alone', () => {
  it('takes browsers through to the address of the API, with their member’s rights and both ways as they come', async () => {
    const alone = await openTestService({
      share: service,
      stages: ['console'],
      environment: { SERVICE_CONSOLE_DIR: folder, SERVICE_CONSOLE_UPSTREAM: another.baseUrl },
    });
    const me = await ask(member, 'GET', '/console/api/whoami', undefined, alone);
    expect(me).toMatchObject({ status: 200, body: { username: 'max', role: 'member' } });
    expect(me.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    expect((await ask(manager, 'POST', '/console/api/answer-audit-logs', answer('through'), alone)).status).toBe(201);
    expect((await ask(member, 'GET', '/console/api/members', undefined, alone)).body.code).toBe('role_not_allowed');
    const large = await ask(manager, 'POST', '/console/api/answer-audit-logs', answer('q'.repeat(200_000)), alone);
    expect(large.status).toBe(201);
    const list = await ask(member, 'GET', '/console/api/answer-audit-logs', undefined, alone);
    expect(list.body).toEqual((await ask(member, 'GET', '/console/api/answer-audit-logs')).body);
    const token = { headers: { cookie: member.cookie }, token: null, body: {} };
    expect((await alone.call('POST', '/console/api/answer-audit-logs', token)).status).toBe(403);
    await alone.close();
  });

  it('says that nobody is there, and to try again', async () => {
    const lost = await openTestService({
      share: service,
      stages: ['console'],
      environment: { SERVICE_CONSOLE_DIR: folder, SERVICE_CONSOLE_UPSTREAM: 'http://127.0.0.1:9' },
    });
    const reply = await ask(member, 'GET', '/console/api/whoami', undefined, lost);
    expect(reply).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    expect(reply.headers.get('retry-after')).toBe('1');
    await lost.close();
  });
});

describeInBrowser('Chromium', () => {
  it('keeps the session over plain HTTP on this machine, and shows no script its secret', async () => {
    const browser = await openBrowser();
    try {
      for (const host of ['127.0.0.1', 'localhost']) {
        const page = await browser.newPage();
        await page.goto(service.baseUrl.replace('127.0.0.1', host));
        expect(page.url()).toMatch(/\/console\/$/);
        const seen = await page.evaluate(async (password) => {
          const credentials = { name: 'max', password };
          const signedIn = await fetch('/console/session', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(credentials),
          });
          const { csrf_token: csrf } = (await signedIn.json()) as { csrf_token: string };
          const me = await fetch('/console/api/whoami');
          const out = await fetch('/console/session', { method: 'DELETE', headers: { 'x-csrf-token': csrf } });
          const after = await fetch('/console/session');
          const { cookie } = (globalThis as unknown as { document: { cookie: string } }).document;
          return { statuses: [signedIn, me, out, after].map(({ status }) => status), cookie };
        }, PASSWORD);
        expect([host, seen]).toEqual([host, { statuses: [200, 200, 204, 401], cookie: '' }]);
        await page.close();
      }
    } finally {
      await browser.close();
    }
  });
});

describe('every reply below /console', () => {
  it('has a policy that lets pages run and reach nothing but their own host', async () => {
    const replies = [
      await ask(manager, 'GET', '/console/'),
      await ask(manager, 'GET', '/console/records/1'),
      await ask(manager, 'GET', '/console/assets/app-1.js'),
      await ask(manager, 'GET', '/console/assets/none.js'),
      await ask(manager, 'GET', '/console/session'),
      await ask(manager, 'GET', '/console/api/whoami'),
      await ask(manager, 'GET', '/console/api/nothing'),
      await service.call('GET', '/console/api/whoami', { token: null }),
      await service.call('GET', '/console/session', { token: null }),
      await service.call('PUT', '/console/session', { token: null, body: {} }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 404, 200, 200, 404, 401, 401, 405]);
    for (const { headers } of replies) {
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
    expect(replies[2]?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(replies[4]?.headers.get('cache-control')).toBe('no-store');
  });

  it('leads a browser there from the bare host', async () => {
    const led = await fetch(`${service.baseUrl}/`, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect([led.status, led.headers.get('location')]).toEqual([303, '/console/']);
  });
});
