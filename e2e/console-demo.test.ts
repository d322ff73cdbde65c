import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { findFreePort } from '@answer-evidence/testing';
import { createCalls } from '../tools/demo/call-service.ts';
import { describeInBrowser, openBrowser } from '../tools/scenery/browser.ts';
import { REPOSITORY, type ServiceProcess, watch } from '../tools/scenery/service-process.ts';
import { findBarriers } from './support/console.ts';
import { type DemoPage, type DemoSite, listPages, signInByApi } from './support/demo-pages.ts';

/** How a page is looked at: at a desk and on a phone, by day and by night, in either language. */
const FORMS = [
  { name: 'desk', locale: 'en-GB', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'desk, dark, German', locale: 'de-DE', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'phone, German', locale: 'de-DE', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'phone, dark', locale: 'en-GB', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;
const DEADLINE_MS = 540_000;
/** So many that there is a Tuesday among the days before today. */
const DAYS = 8;
/** How often Tab is pressed until what is wanted must have had the focus. */
const TABS_MAX = 80;
/** The one file with the pictures of every page; none are taken where this is unset. */
const PICTURES = process.env['CONSOLE_PICTURES_FILE'];
/** Where the pictures of the README and of the tour are kept; they are left alone where this is unset. */
const TOUR = process.env['TOUR_PICTURES'];
/** Without pictures, each page is looked at in two of the forms, which have both of everything between them. */
const LOOKED_AT = FORMS.filter((_, n) => PICTURES !== undefined || n === 1 || n === 2);
/** Of the tour: the form `desk` of these pages. */
const TOUR_PAGES = ['overview', 'records', 'records-recordId', 'reconciliation', 'trust', 'log'];

describeInBrowser('every page of the console, with the data of the demonstration', () => {
  let folder: string;
  let demo: ServiceProcess;
  let site: DemoSite;
  let browser: Browser;
  let pages: readonly DemoPage[];
  /** A row of pictures for each page. */
  const rows = new Map<string, string[]>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-demo-'));
    const port = await findFreePort();
    const days = TOUR === undefined ? String(DAYS) : '60';
    const words = ['tools/demo/main.ts', '--data', folder, '--days', days, '--port', String(port)];
    const spawned = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
      cwd: REPOSITORY,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, SERVICE_METRICS_PORT: '0' },
    });
    demo = watch(spawned);
    await demo.ready;
    const state = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
    site = { baseUrl: `http://127.0.0.1:${port}`, username: state.username, password: state.password };
    pages = await listPages(site);
    browser = await openBrowser();
  }, DEADLINE_MS);
  afterAll(async () => {
    if (PICTURES !== undefined) {
      await mkdir(dirname(PICTURES), { recursive: true });
      await writeFile(PICTURES, showBeside(rows));
    }
    await browser?.close();
    demo?.kill('SIGTERM');
    await demo?.exited;
    await rm(folder, { recursive: true, force: true });
  }, DEADLINE_MS);

  async function take(page: Page, name: string, form: string): Promise<void> {
    const isTour = TOUR !== undefined && form === 'desk' && TOUR_PAGES.includes(name);
    if (isTour) {
      await mkdir(TOUR, { recursive: true });
      await page.screenshot({ path: join(TOUR, `${name}.png`), animations: 'disabled' });
    }
    if (PICTURES === undefined) return;
    const picture = await page.screenshot({ type: 'jpeg', quality: 70, fullPage: true, animations: 'disabled' });
    rows.set(name, [...(rows.get(name) ?? []), picture.toString('base64')]);
  }

  it.each(LOOKED_AT)(
    'has no barrier and scrolls to no side: $name',
    async ({ name: form, ...options }) => {
      const page = await (await browser.newContext(options)).newPage();
      const found: string[] = [];
      const look = async (name: string) => {
        await page.locator('h1').first().waitFor();
        await page.waitForLoadState('networkidle');
        const { clientWidth, scrollWidth } = await page.evaluate<{ clientWidth: number; scrollWidth: number }>(
          '({ clientWidth: document.documentElement.clientWidth, scrollWidth: document.documentElement.scrollWidth })',
        );
        if (scrollWidth > clientWidth) found.push(`${name}: is ${scrollWidth} wide in ${clientWidth}`);
        found.push(...(await findBarriers(page)).map((barrier) => `${name}: ${barrier}`));
        await take(page, name, form);
      };
      await page.goto(`${site.baseUrl}/console/`);
      await page.locator('input[autocomplete=organization]').waitFor();
      await look('sign-in');
      await signIn(page, site);
      for (const { name, path } of pages) {
        await page.goto(`${site.baseUrl}/console/${path}`);
        await look(name);
      }
      await page.context().close();
      expect(found).toEqual([]);
      expect(pages.length).toBeGreaterThan(15);
    },
    DEADLINE_MS,
  );

  it(
    'leads by the keyboard from the sign-in to an answer of which one word and a day are known',
    async () => {
      const page = await (await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC' })).newPage();
      const { keyboard } = page;
      /** Goes on until a control has the focus; a reader can reach it so. */
      const reach = async (name: string) => {
        const focused = () =>
          page.evaluate<string>(
            'document.activeElement.getAttribute("aria-label") ?? document.activeElement.innerText',
          );
        for (let tabs = 0; tabs < TABS_MAX && (await focused()) !== name; tabs++) await keyboard.press('Tab');
        expect(await focused()).toBe(name);
      };
      await page.goto(`${site.baseUrl}/console/`);
      await page.locator('input[autocomplete=organization]').waitFor();
      for (const text of ['demo', site.username, site.password]) {
        await keyboard.press('Tab');
        await keyboard.type(text);
      }
      await keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: /need/ }).waitFor();
      const signedInAt = new Date().toISOString();

      await keyboard.press('/');
      await keyboard.type('a customer asked on Tuesday about jackets');
      const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
      await options.filter({ hasText: 'Look in the texts for' }).waitFor();
      await keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).waitFor();
      await keyboard.type('complaint 4471');
      await keyboard.press('Control+Enter');
      await options.filter({ hasText: 'begin' }).waitFor();
      await keyboard.press('Enter');
      await options
        .filter({ hasText: /jacket/i })
        .first()
        .waitFor();
      expect(await options.count()).toBeGreaterThan(0);
      for (const option of await options.filter({ has: page.locator('time') }).all()) {
        const [day] = await option
          .locator('time')
          .evaluateAll((times) => times.map((one) => one.getAttribute('datetime')));
        expect([new Date(day ?? '').getUTCDay(), await option.innerText()]).toEqual([
          2,
          expect.stringMatching(/jacket/i),
        ]);
      }
      while (!(await options.and(page.locator('[aria-selected=true]')).innerText()).match(/jacket/i))
        await keyboard.press('ArrowDown');
      await keyboard.press('Enter');
      await page.waitForURL(/\/records\/[0-9a-f-]{36}$/);
      const recordId = page.url().split('/').at(-1) ?? '';
      // What happened and who vouches, in a sentence, before anybody has read a text.
      await page.getByText(/^Recorded by .*Witnessed/).waitFor();
      await reach('Show the texts');
      await keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).waitFor();
      await keyboard.type('complaint 4471');
      await keyboard.press('Control+Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page
        .getByRole('region', { name: 'Question and answer' })
        .getByText(/jacket/i)
        .first()
        .waitFor();

      const call = createCalls(site.baseUrl, await signInByApi(site));
      type Entries = { items: readonly { type: string; core: Record<string, unknown> }[] };
      const { items } = await call<Entries>('GET', `/api/tenant/entries?created_after=${signedInAt}&size=100`);
      const readings = items.filter(({ type }) => ['search_opened', 'texts_revealed'].includes(type)).toReversed();
      expect(readings.map(({ type, core }) => [type, core['reason']])).toEqual(
        ['search_opened', 'texts_revealed', 'texts_revealed'].map((type) => [type, 'complaint 4471']),
      );
      expect(readings[1]?.core['answer_log_ids']).toContain(recordId);
      expect(readings[2]?.core['answer_log_id']).toBe(recordId);
      await page.context().close();
    },
    DEADLINE_MS,
  );
});

async function signIn(page: Page, { username, password }: DemoSite): Promise<void> {
  await page.locator('input[autocomplete=organization]').fill('demo');
  await page.locator('input[autocomplete=username]').fill(username);
  await page.locator('input[type=password]').fill(password);
  await page.keyboard.press('Enter');
  await page.locator('nav').first().waitFor({ state: 'attached' });
}

/** One file with the forms of each page beside each other. Names are those of routes, and need no escape. */
function showBeside(rows: ReadonlyMap<string, readonly string[]>): string {
  const show = ([name, pictures]: readonly [string, readonly string[]]) => {
    const images = pictures.map(
      (picture, n) => `<img alt="${name}, ${FORMS[n]?.name}" src="data:image/jpeg;base64,${picture}">`,
    );
    return `<h2>${name}</h2>\n<p>${images.join('\n')}</p>`;
  };
  const style = 'p { display: flex; gap: 8px; align-items: start } img { height: 600px; object-fit: cover }';
  return (
    '<!doctype html>\n<meta charset="utf-8">\n<title>Pages of the console</title>\n' +
    `<style>${style}</style>\n${[...rows].map(show).join('\n')}\n`
  );
}
