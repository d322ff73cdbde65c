import { createReadStream, existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../scenery/browser.ts';
import { openTestService } from '../scenery/test-service.ts';
import { buildSite } from './build-site.ts';
import { rewriteLinks } from './lay-out-pages.ts';
import { drawDiagram } from './site-config.ts';

const ROOT = join(import.meta.dirname, '../..');
const BASE = '/docs/';
const MINUTES_MS = 60_000;
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};
const API = JSON.stringify({
  info: { version: '2030-01-31' },
  paths: {
    '/api/things/{id}': {
      get: {
        summary: 'Read a thing',
        tags: ['Things'],
        parameters: [{ name: 'id', in: 'path', required: true, description: 'Which <thing> | or {{ other }}' }],
        responses: { '200': {}, '404': {} },
      },
    },
  },
});

describe('a link of a page', () => {
  const pages = new Set(['README.md', 'docs/trust.md', 'docs/formats/README.md']);
  const of = (link: string, repository?: string) => rewriteLinks(link, 'docs/faq.md', pages, repository);

  it('leads to the same page on the site', () => {
    expect(of('[trust](trust.md#keys)')).toBe('[trust](/trust.md#keys)');
    expect(of('[formats](formats/)')).toBe('[formats](/formats/index.md)');
    expect(of('[start](../README.md)')).toBe('[start](/index.md)');
    expect(of('[other](https://example.org) [here](#here)')).toBe('[other](https://example.org) [here](#here)');
  });

  it('leads to the sources where there is no page, and is plain text while these have no address', () => {
    const link = '[`index.ts`](../libs/client/src/index.ts)';
    expect(of(link, 'https://code.example/e')).toBe(
      '[`index.ts`](https://code.example/e/blob/HEAD/libs/client/src/index.ts)',
    );
    expect(of(link)).toBe('`index.ts`');
  });
});

describe('a diagram', () => {
  it('is a picture in the colours of the page', async () => {
    const [, source = ''] = /```mermaid\n(.*?)```/s.exec(await readFile(join(ROOT, 'README.md'), 'utf8')) ?? [];
    const picture = drawDiagram(source);
    expect(picture).toMatch(/^<svg/);
    expect(picture).toContain('PostgreSQL');
    expect(picture).toContain('var(--vp-c-text-1)');
    // Nobody outside is asked for a font.
    expect(picture).not.toMatch(/@import|fonts\.googleapis/);
  });
});

describeInBrowser('the site, on a static host', () => {
  let folder: string;
  let server: Server;
  let browser: Browser;
  let page: Page;
  let address: string;
  const faults: string[] = [];
  const asked: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'site-'));
    const has = (path: string) =>
      /^(?:README|docs\/(?:api-guide|architecture|trust|glossary|auditor|otlp))\.md$/.test(path);
    const others = [{ text: '0.0.9', link: 'https://old.example/' }];
    await buildSite({ root: ROOT, outDir: join(folder, 'site'), api: API, base: BASE, version: '9.9.9', others, has });
    server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? '', 'http://host').pathname).slice(BASE.length);
      const file = join(folder, 'site', path === '' ? 'index.html' : path);
      if (!existsSync(file) || statSync(file).isDirectory()) return void response.writeHead(404).end();
      response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
      return void createReadStream(file).pipe(response);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
    page.on('request', (request) => asked.push(request.url()));
  }, 5 * MINUTES_MS);
  afterAll(async () => {
    await browser.close();
    await new Promise((resolve) => void server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'shows the README with its diagram, leads to other pages, and asks nobody else for anything',
    async () => {
      await page.goto(`${address}${BASE}`);
      await page.locator('figure.diagram svg').first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1440);
      await page.locator('.VPDoc a[href$="/docs/trust.html"]').first().click();
      await page.waitForURL(/\/docs\/trust\.html/);
      expect(await page.locator('h1').textContent()).toMatch(/\S/);
      expect(asked.filter((url) => !url.startsWith(address))).toEqual([]);
      expect(faults).toEqual([]);
    },
    MINUTES_MS,
  );

  it(
    'finds a word without a server',
    async () => {
      await page.keyboard.press('Control+k');
      await page.locator('.VPLocalSearchBox input').fill('cosignature');
      await page.locator('.VPLocalSearchBox .result').first().waitFor();
      await page.keyboard.press('Escape');
      expect(asked.filter((url) => !url.startsWith(address))).toEqual([]);
    },
    MINUTES_MS,
  );

  it(
    'has a dark form, a menu of versions, and a page of the operations of the API',
    async () => {
      const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const light = await colour();
      await page.locator('.VPNav .VPSwitchAppearance').first().click();
      expect(await colour()).not.toBe(light);
      await page.locator('.VPNavBarMenu button', { hasText: '9.9.9' }).hover();
      await page.locator('a[href="https://old.example/"]').first().waitFor();
      await page.goto(`${address}${BASE}api.html`);
      expect(await page.locator('.VPDoc').textContent()).toContain('Which <thing> | or {{ other }}');
      expect(await page.locator('h3').first().textContent()).toContain('GET /api/things/{id}');
      expect(faults).toEqual([]);
    },
    MINUTES_MS,
  );

  it(
    'is under /docs/ of the service, whose policy its pages keep',
    async () => {
      const service = await openTestService({ environment: { SERVICE_DOCS_DIR: join(folder, 'site') } });
      const here = await browser.newPage();
      const said: string[] = [];
      here.on('pageerror', (error) => said.push(error.message));
      here.on('console', (message) => void (message.type() === 'error' && said.push(message.text())));
      await here.goto(`${service.baseUrl}/docs`);
      await here.locator('figure.diagram svg').first().waitFor();
      await here.keyboard.press('Control+k');
      await here.locator('.VPLocalSearchBox input').fill('cosignature');
      await here.locator('.VPLocalSearchBox .result').first().click();
      await here.waitForURL(/\/docs\/[a-z-]+\.html/);
      expect(await here.locator('h1').textContent()).toMatch(/\S/);
      expect(said).toEqual([]);
      await service.close();
    },
    MINUTES_MS,
  );
});
