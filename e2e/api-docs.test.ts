import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../tools/scenery/browser.ts';
import { openTestService } from '../tools/scenery/test-service.ts';

const service = await openTestService();
afterAll(() => service.close());

describe('the page of the API', () => {
  it('names only files of its own, which are there', async () => {
    const { status, text, headers } = await service.call('GET', '/api/docs', { token: null });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) {
      const { pathname, origin } = new URL(file, `${service.baseUrl}/api/docs`);
      expect(origin).toBe(service.baseUrl);
      expect((await service.call('GET', pathname, { token: null })).status).toBe(200);
    }
  });

  it.each(['index.html', 'package.json', '..%2fpackage.json', 'swagger-ui.css.map'])(
    'serves no other file: %s',
    async (name) => {
      expect((await service.call('GET', `/api/docs/${name}`, { token: null })).status).toBe(404);
    },
  );
});

describeInBrowser('the page of the API in Chromium', () => {
  let browser: Browser;
  let page: Page;
  const hosts = new Set<string>();
  const errors: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    page = await browser.newPage();
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'data:') hosts.add(origin);
    });
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${service.baseUrl}/api/docs`);
    await page.locator('.opblock').first().waitFor();
  }, 60_000);
  afterAll(() => browser.close());

  it('shows every operation that the service describes', async () => {
    const { body } = await service.call('GET', '/api/openapi.json', { token: null });
    const described = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const shown = await page
      .locator('.opblock-summary')
      .evaluateAll((rows) =>
        rows.map((row) =>
          ['.opblock-summary-method', '.opblock-summary-path']
            .map((part) => row.querySelector(part)?.textContent?.replaceAll('\u200b', '').trim())
            .join(' '),
        ),
      );
    expect(shown.toSorted()).toEqual(described.toSorted());
  });

  it('groups them, begins with how an answer is recorded, and introduces itself', async () => {
    const { body } = await service.call('GET', '/api/openapi.json', { token: null });
    const named = (body.tags as readonly { readonly name: string }[]).map(({ name }) => name);
    const groups = await page
      .locator('.opblock-tag')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-tag')));
    expect(groups).toEqual(named);
    expect(named.length).toBeGreaterThan(5);
    expect(await page.locator('.opblock-summary-description').first().innerText()).toBe('Record an answer');
    expect(await page.locator('.information-container').innerText()).toContain('The first request');
  });

  it('is as dark as the reader has their screen', async () => {
    const backgroundOf = async (colorScheme: 'dark' | 'light', html: string) => {
      await page.emulateMedia({ colorScheme });
      await page.locator(html).waitFor({ state: 'attached' });
      return page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    };
    expect(await backgroundOf('dark', 'html.dark-mode')).toBe('rgb(28, 32, 34)');
    expect(await backgroundOf('light', 'html:not(.dark-mode)')).toBe('rgba(0, 0, 0, 0)');
  });

  it('opens an operation, and sends what a reader tries to the host that it came from', async () => {
    const whoami = page.locator('.opblock', { hasText: '/api/whoami' });
    await whoami.locator('.opblock-summary-control').click();
    await whoami.getByRole('button', { name: 'Try it out' }).click();
    await whoami.getByRole('button', { name: 'Execute' }).click();
    await whoami.locator('.live-responses-table .response-col_status', { hasText: '401' }).waitFor();
    expect(await whoami.locator('.request-url').innerText()).toContain(`${service.baseUrl}/api/whoami`);
  });

  it('sends the token of a reader, and shows it in no command', async () => {
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('.auth-container input').fill(service.managerToken);
    await page.locator('.auth-container').getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.close-modal').click();
    const whoami = page.locator('.opblock', { hasText: '/api/whoami' });
    await whoami.getByRole('button', { name: 'Execute' }).click();
    await whoami.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    expect(await whoami.locator('.curl-command').innerText()).toContain('Authorization: Bearer TOKEN');
    expect(await page.content()).not.toContain(service.managerToken);
  });

  it('asks no other host for anything, and nothing goes wrong', () => {
    expect([...hosts]).toEqual([service.baseUrl]);
    // The browser itself reports the refusal that the reader has just met.
    expect(errors.filter((text) => !text.includes('status of 401'))).toEqual([]);
  });
});
