import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { until } from '../tools/scenery/service-process.ts';
import { answer, type TestService } from '../tools/scenery/test-service.ts';
import { findBarriers, PASSWORD, signInAs, type TestConsole } from './support/console.ts';
import { follow, watchRequests } from './support/follow-page.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

/** Most steps to anything on a page. */
const STEPS = 90;

describeInBrowser('the console without a mouse, and in German', () => {
  let watched: WatchedConsole;
  let service: TestService;
  let site: TestConsole;
  let page: Page;
  let recordId: string;

  beforeAll(async () => {
    watched = await openWatchedConsole({ rita: 'manager', max: 'member' });
    ({ service, site, page } = watched);
    for (const name of ['one', 'two']) {
      const body = answer(`question ${name}`, `answer ${name}`, { external_message_id: `message-${name}` });
      const made = await service.call('POST', '/api/answer-audit-logs', { body });
      expect(made.status).toBe(201);
      recordId = made.body.id;
    }
    await page.goto(`${site.url}records`);
  }, 120_000);
  afterAll(() => watched.close());

  /** Presses a key until the focus is there, as somebody without a mouse does. */
  async function moveTo(there: Locator, key = 'Tab'): Promise<void> {
    await there.first().waitFor();
    for (let step = 0; step < STEPS; step++) {
      if (await there.first().evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await page.keyboard.press(key);
    }
    throw new Error(`${key} never comes to ${String(there)}`);
  }
  /** The focus is there, or comes there. */
  async function expectFocus(there: Locator): Promise<void> {
    await until('the focus', () => there.evaluate((element) => element === element.ownerDocument.activeElement));
  }
  async function press(there: Locator, key = 'Enter'): Promise<void> {
    await moveTo(there);
    await page.keyboard.press(key);
  }
  async function type(there: Locator, text: string): Promise<void> {
    await moveTo(there);
    await page.keyboard.type(text);
  }
  const button = (name: string) => watched.button(name);
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const dialog = () => watched.dialog();

  describe('the keyboard alone', () => {
    it('signs in, finds a record, and opens it', async () => {
      await type(field('Workspace'), service.workspace);
      await type(field('Name'), 'rita');
      await type(page.locator('input[type=password]'), PASSWORD);
      await page.keyboard.press('Enter');
      await type(page.getByLabel('Search for'), 'message-two');
      await page.keyboard.press('Enter');
      await page.locator('tbody tr[tabindex]').nth(1).waitFor({ state: 'detached' });
      await press(page.locator('tbody tr[tabindex]'));
      await page.getByRole('heading', { level: 1, name: '·' }).waitFor();
      expect(page.url()).toBe(`${site.url}records/${recordId}`);
    });

    it('corrects it, with a reason', async () => {
      await press(button('Change the state'));
      await moveTo(page.getByRole('menuitem', { name: 'Correct the answer' }), 'ArrowDown');
      await page.keyboard.press('Enter');
      await type(dialog().getByLabel('The right answer'), 'another answer');
      await type(dialog().getByRole('textbox', { name: 'Reason' }), 'it was wrong');
      await press(dialog().getByRole('button', { name: 'Append the correction' }));
      await dialog().waitFor({ state: 'detached' });
      await page.getByText('it was wrong', { exact: true }).waitFor();
      expect((await service.call('GET', `/api/answer-audit-logs/${recordId}`)).body.status).toBe('corrected');
    });

    it('leaves a dialog by Escape, and is back at the button that it came from', async () => {
      await press(button('Change the state'));
      await moveTo(page.getByRole('menuitem', { name: 'Void the answer' }), 'ArrowDown');
      await page.keyboard.press('Enter');
      await dialog().waitFor();
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      await expectFocus(button('Change the state'));
      await press(button('Evidence pack'));
      await dialog().waitFor();
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      await expectFocus(button('Evidence pack'));
    });

    it('verifies it', async () => {
      await press(button('Verify now'));
      await page.getByText(/^All \d+ checks/).waitFor();
    });

    it('issues a token, which is good', async () => {
      await press(page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Tokens' }));
      await press(button('Issue a token'));
      await type(dialog().getByRole('textbox', { name: 'Name', exact: true }), 'by hand');
      await type(dialog().getByRole('textbox', { name: 'Application', exact: true }), 'hand-bot');
      await press(dialog().getByRole('checkbox', { name: 'answer_audit:read', exact: true }), 'Space');
      await press(dialog().getByRole('button', { name: 'Issue a token' }));
      const token = await page.getByRole('textbox', { name: /^Token/ }).innerText();
      expect((await service.call('GET', '/api/whoami', { token })).body.application_key).toBe('hand-bot');
      await press(button('I have it'));
      await dialog().waitFor({ state: 'detached' });
    });
  });

  describe('what was typed', () => {
    it('stays while the service is unreachable, and is then sent', async () => {
      await page.goto(`${site.url}records/${recordId}`);
      await button('Change the state').click();
      await page.getByRole('menuitem', { name: 'Void the answer' }).click();
      await dialog().getByRole('textbox', { name: 'Reason' }).fill('typed while it was there');
      await watched.context.setOffline(true);
      await dialog().getByRole('button', { name: 'Void' }).click();
      await dialog().getByRole('alert').last().getByText('That did not work').waitFor();
      await watched.context.setOffline(false);
      expect(await dialog().getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('typed while it was there');
      await dialog().getByRole('button', { name: 'Void' }).click();
      await dialog().waitFor({ state: 'detached' });
      const { body } = await service.call('GET', `/api/answer-audit-logs/${recordId}`);
      expect(body.events.filter((event: any) => event.event_type === 'voided')).toHaveLength(1);
    });
  });

  it('holds still where the system or the reader wants it, and remembers that', async () => {
    // A switch slides.
    const longest = () =>
      page.locator('main *').evaluateAll((all) =>
        // An element that has left the page meanwhile has no style.
        Math.max(
          ...all.flatMap((one) =>
            getComputedStyle(one)
              .transitionDuration.split(',')
              .map((text) => parseFloat(text) || 0),
          ),
        ),
      );
    const choose = async (item: string) => {
      await button('rita').click();
      await page.getByRole('menuitem', { name: item }).click();
      await page.getByRole('menu').waitFor({ state: 'detached' });
    };
    await page.goto(`${site.url}settings`);
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.locator('main [role=switch]').first().waitFor();
    expect(await longest()).toBeGreaterThan(0.001);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await longest()).toBeLessThan(0.001);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await choose('Nothing moves');
    await page.reload();
    await page.locator('main [role=switch]').first().waitFor();
    expect(await longest()).toBeLessThan(0.001);
    await choose('Things may move');
    expect(await longest()).toBeGreaterThan(0.001);
  });

  describe('German', () => {
    it('has no word of English on any page, and no barrier in dark, light and on a phone', async () => {
      await button('rita').click();
      await page.getByRole('menuitem', { name: 'Deutsch' }).click();
      await page.getByRole('navigation', { name: 'Seiten', exact: true }).waitFor();
      const english = await readForeignTexts();
      const links = page.getByRole('navigation', { name: 'Seiten', exact: true }).getByRole('link');
      const pages = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
      expect(pages.length).toBeGreaterThanOrEqual(8);
      const found: string[] = [];
      const untilQuiet = watchRequests(page);
      // The language stays when the console is loaded anew.
      await page.goto(`${site.url}none`);
      for (const path of ['/console/none', ...pages, `/console/records/${recordId}`, '/console/reconciliation/new']) {
        if (path !== '/console/none') await follow(page, site, path);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await untilQuiet();
        expect([path, await page.locator('html').getAttribute('lang')]).toEqual([path, 'de']);
        for (const text of await readShown(page)) if (english.has(text)) found.push(`${path}: ${text}`);
        for (const [colorScheme, width] of [
          ['dark', 1280],
          ['light', 390],
        ] as const) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 900 });
          for (const barrier of await findBarriers(page)) found.push(`${path} ${colorScheme} ${width}: ${barrier}`);
        }
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (width > 390) found.push(`${path}: ${width} wide on a phone`);
        await page.setViewportSize({ width: 1280, height: 900 });
      }
      expect(found).toEqual([]);
    }, 120_000);
  });

  describe('a member who is no manager', () => {
    it('is told so at the address of a page for managers', async () => {
      const theirs = await watched.openPage();
      await theirs.goto(`${site.url}members`);
      await signInAs(theirs, service, 'max');
      await theirs
        .getByText(/Your role does not|only a tenant manager|may not/i)
        .first()
        .waitFor();
      expect(await theirs.getByRole('table').count()).toBe(0);
      await theirs.context().close();
    });
  });

  it('breaks no policy, asks no other host, and has no fault', () => {
    expect(watched.faults).toEqual([]);
  });
});

/** Texts and keys that a German page must not have: those of English that are none of German. */
async function readForeignTexts(): Promise<ReadonlySet<string>> {
  const [en, de] = await Promise.all(['en', 'de'].map(readCatalogue));
  const german = new Set(de?.values());
  return new Set([...(en ?? [])].flatMap(([key, text]) => (german.has(text) ? [key] : [key, text])));
}

async function readCatalogue(language: string): Promise<ReadonlyMap<string, string>> {
  const file = new URL(`../apps/console/src/locales/${language}.json`, import.meta.url);
  return new Map(flatten(JSON.parse(await readFile(file, 'utf8'))));
}

function flatten(catalogue: object, before = ''): readonly (readonly [string, string])[] {
  return Object.entries(catalogue).flatMap(([name, value]) =>
    typeof value === 'string' ? [[before + name, value] as const] : flatten(value, `${before}${name}.`),
  );
}

/** Each text that a page shows or tells a screen reader. */
function readShown(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode.data.trim());
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      for (const element of document.querySelectorAll('[' + name + ']')) texts.push(element.getAttribute(name));
    return texts;
  })()`);
}
