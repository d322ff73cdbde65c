import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { listen, type ListeningServer } from '@answer-evidence/testing';
import { describeInBrowser, openBrowser } from '../tools/scenery/browser.ts';
import { answer, openTestService } from '../tools/scenery/test-service.ts';
import {
  addMember,
  openChecks,
  openTestConsole,
  PASSWORD,
  signInAs,
  type TestConsole,
  watchPages,
} from './support/console.ts';

const BASE = '/evidence';

describeInBrowser('the console below a path of a proxy', () => {
  let proxy: ListeningServer;
  let origin: string;
  let site: TestConsole;
  let browser: Browser;
  /** Paths that the proxy was asked for outside of the base path. */
  const strays: string[] = [];

  beforeAll(async () => {
    proxy = await listen((req, res) => {
      const { url = '', method = 'GET', headers } = req;
      if (!url.startsWith(`${BASE}/`)) {
        strays.push(url);
        res.writeHead(404).end();
        return;
      }
      const sent = request(site.service.baseUrl + url.slice(BASE.length), { method, headers }, (reply) => {
        res.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(res);
      });
      sent.on('error', () => res.destroy());
      req.pipe(sent);
    });
    origin = proxy.url;
    site = await openTestConsole({ SERVICE_BASE_URL: origin + BASE });
    await addMember(site.service, 'rita', 'manager');
    browser = await openBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await proxy.close();
    await site.close();
  });

  it('is loaded, signs in, verifies in its worker and stays below that path', async () => {
    const made = await site.service.call('POST', '/api/answer-audit-logs', { body: answer('when?', 'at nine') });
    const context = await browser.newContext({ locale: 'en-GB' });
    const faults = await watchPages(context, origin);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(`${origin}${BASE}/console/records/${made.body.id}`);
    await signInAs(page, site.service, 'rita');
    await page.getByRole('button', { name: 'Verify now' }).click();
    await openChecks(page);
    await page.getByRole('link', { name: 'Records' }).click();
    await page.locator('tbody tr').first().waitFor();
    expect(page.url()).toBe(`${origin}${BASE}/console/records`);
    await page.reload();
    await page.locator('tbody tr').first().waitFor();
    expect(strays.filter((path) => path !== '/favicon.ico')).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('names in Location and Link where its pages find what they made and what comes next', async () => {
    const credentials = { workspace: 'demo', name: 'rita', password: PASSWORD };
    const opened = await site.service.call('POST', '/console/session', { token: null, body: credentials });
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    const headers = { cookie, 'x-csrf-token': opened.body.csrf_token as string };
    const alone = await openTestService({
      share: site.service,
      stages: ['console'],
      environment: {
        SERVICE_CONSOLE_DIR: site.files,
        SERVICE_CONSOLE_UPSTREAM: site.service.baseUrl,
        SERVICE_BASE_URL: origin + BASE,
      },
    });
    for (const at of [site.service, alone]) {
      const made = await at.call('POST', '/console/api/answer-audit-logs', { token: null, headers, body: answer('q') });
      expect(made.headers.get('location')).toBe(`${BASE}/console/api/answer-audit-logs/${made.body.id}`);
      const list = await at.call('GET', '/console/api/answer-audit-logs?size=1', { token: null, headers });
      expect(list.headers.get('link')).toMatch(
        /^<\/evidence\/console\/api\/answer-audit-logs\?size=1&cursor=.*>; rel="next"$/,
      );
    }
    const plain = await site.service.call('POST', '/api/answer-audit-logs', { body: answer('q') });
    expect(plain.headers.get('location')).toBe(`${BASE}/api/answer-audit-logs/${plain.body.id}`);
    await alone.close();
  });
});
