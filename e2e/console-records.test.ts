import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { until } from '../tools/scenery/service-process.ts';
import { answer, type TestService } from '../tools/scenery/test-service.ts';
import { endSessions, findBarriers, PASSWORD, signInAs, takePictures, type TestConsole } from './support/console.ts';
import { follow } from './support/follow-page.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

describeInBrowser('the list of records in Chromium', () => {
  let watched: WatchedConsole;
  let service: TestService;
  let site: TestConsole;
  let page: Page;

  beforeAll(async () => {
    watched = await openWatchedConsole({ rita: 'manager', max: 'member' }, { reader: { timezoneId: 'Europe/Berlin' } });
    ({ service, site, page } = watched);
    const records = Array.from({ length: 53 }, (_, n) =>
      answer(`question ${n}`, `answer ${n}`, { external_message_id: `message-${n}`, idempotency_key: `key-${n}` }),
    );
    const { body } = await service.call('POST', '/api/answer-audit-logs/batch', { body: { records } });
    expect(body.results.filter(({ outcome }: any) => outcome !== 'created')).toEqual([]);
  }, 90_000);
  afterAll(() => watched.close());

  /** So many rows, once they are there. */
  async function expectRows(count: number): Promise<void> {
    await page
      .locator('tbody tr[tabindex]')
      .nth(count - 1)
      .waitFor();
    await page.locator('tbody tr[tabindex]').nth(count).waitFor({ state: 'detached' });
  }

  describe('signing in', () => {
    it('shows the form at every address, and then the page of that address', async () => {
      await page.goto(`${site.url}records?external_message_id=message-7`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await takePictures(page, 'sign-in');
      await signInAs(page, service, 'rita', 'not her password');
      await page.getByRole('alert').waitFor();
      await signInAs(page, service, 'rita');
      await page.getByRole('heading', { name: 'Records' }).waitFor();
      await expectRows(1);
      expect(page.url()).toBe(`${site.url}records?external_message_id=message-7`);
    });

    it('keeps what was typed when the session expires', async () => {
      await page.goto(`${site.url}records`);
      await page.locator('tbody tr[tabindex]').first().waitFor();
      await page.getByLabel('Environment').and(page.locator('input')).fill('typed before');
      await endSessions(service, 'rita');
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.locator('[role=dialog] input[type=password]').fill(PASSWORD);
      await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expectRows(3);
      expect(await page.getByLabel('Environment').and(page.locator('input')).inputValue()).toBe('typed before');
    });
  });

  describe('the list of records', () => {
    it('is read by the keyboard alone: rows, selection, opening', async () => {
      await follow(page, site, 'records');
      await expectRows(50);
      expect(await findBarriers(page)).toEqual([]);
      await takePictures(page, 'records');
      await page.locator('tbody tr[tabindex]').first().focus();
      await page.keyboard.press('j');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Space');
      await page.getByText('1 record is selected.').waitFor();
      await page.keyboard.press('End');
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: '·' }).waitFor();
      expect(page.url()).toMatch(/\/records\/[0-9a-f-]{36}$/);
    });

    it('has its filters in the address, and finds by a review key', async () => {
      await follow(page, site, 'records');
      await page.getByLabel('Search for').fill('message-12');
      await page.getByRole('button', { name: 'Search' }).click();
      await expectRows(1);
      expect(new URL(page.url()).search).toBe('?external_message_id=message-12');
      await page.getByLabel('Status').selectOption('voided');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByText('No record matches').waitFor();
      await page.goBack();
      await expectRows(1);
    });

    it('comes back to a view that was saved', async () => {
      await follow(page, site, 'records?external_message_id=message-3');
      await page.getByRole('button', { name: 'Saved views' }).click();
      await page.getByRole('menuitem', { name: 'Save this view' }).click();
      await page.getByLabel('Name of the view').fill('Number three');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      // It closes once the service has the view; a page that is left before takes the request with it.
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.goto(`${site.url}records`);
      await page.getByRole('button', { name: 'Saved views' }).click();
      await page.getByRole('menuitem', { name: 'Number three' }).click();
      await expectRows(1);
      // Another member sees it: the service keeps it.
      const { items } = (await service.call('GET', '/api/search/views')).body;
      expect(items).toMatchObject([{ name: 'Number three', filters: { external_message_id: 'message-3' } }]);
    });

    it('brings a view back that was removed, and says below the buttons what was refused', async () => {
      const viewsOf = async () => (await service.call('GET', '/api/search/views')).body.items;
      const [{ id }] = await viewsOf();
      const remove = async () => {
        await page.getByRole('button', { name: 'Saved views' }).click();
        await page.getByRole('menuitem', { name: 'Remove this view' }).click();
      };
      await remove();
      await page.getByText('The view was removed.').waitFor();
      expect(await viewsOf()).toEqual([]);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('The view was removed.').waitFor({ state: 'detached' });
      const [back, ...others] = await viewsOf();
      expect(back).toMatchObject({ name: 'Number three', filters: { external_message_id: 'message-3' } });
      expect([back.id === id, others]).toEqual([false, []]);
      await page.route('**/api/search/views/*', (route) => route.abort());
      await remove();
      const alert = page.getByRole('alert');
      await alert.waitFor();
      const [button, said] = [
        await page.getByRole('button', { name: 'Saved views' }).boundingBox(),
        await alert.boundingBox(),
      ];
      expect(said?.y).toBeGreaterThan((button?.y ?? 0) + (button?.height ?? 0));
      await page.unroute('**/api/search/views/*');
    });

    it('says that saved views are loading, and why they are not there', async () => {
      const fails = { status: 403, contentType: 'application/problem+json', body: '{}' };
      const held = Promise.withResolvers<void>();
      await page.route('**/api/search/views', async (route) => {
        await held.promise;
        await route.fulfill(fails);
      });
      await page.goto(`${site.url}records`);
      await page.getByRole('button', { name: 'Saved views' }).click();
      const menu = page.getByRole('menu');
      await menu.getByText('Loading').waitFor();
      held.resolve();
      await menu.getByText('Your role does not permit this').waitFor();
      expect(await page.getByText('No view is saved').count()).toBe(0);
      await page.unroute('**/api/search/views');
    });

    it('has days to choose from, filters that a click takes away, and all that match to select', async () => {
      await follow(page, site, 'records');
      await page.getByText('53 records.').waitFor();
      await page.getByRole('button', { name: '7 days' }).click();
      await expectRows(50);
      expect(new URL(page.url()).search).toMatch(/^\?created_after=\d{4}-\d\d-\d\d$/);
      await page.getByRole('button', { name: /^Remove the filter From/ }).click();
      await until('no filter', () => Promise.resolve(new URL(page.url()).search === ''));
      await page.getByRole('checkbox', { name: 'Select every row of this page' }).check();
      await page.getByRole('button', { name: 'Select all 53 that match' }).click();
      await page.getByText('53 records are selected.').waitFor();
      await page.getByRole('button', { name: 'Select none' }).click();
    });

    it('shows a record at the side by the keyboard, and follows the row', async () => {
      await follow(page, site, 'records');
      await expectRows(50);
      await page.locator('tbody tr[tabindex]').first().focus();
      await page.keyboard.press('e');
      const panel = page.getByRole('complementary', { name: 'Record at the side' });
      await panel.getByText('message-52').waitFor();
      await page.keyboard.press('j');
      await panel.getByText('message-51').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await takePictures(page, 'records-panel');
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
    });

    it('shows texts for one reason, with an entry of the log for each record', async () => {
      const readings = async () =>
        (await service.call('GET', '/api/tenant/entries?type=texts_revealed&size=200')).body.total as number;
      await follow(page, site, 'records?external_message_id=message-12');
      await expectRows(1);
      const before = await readings();
      await page.getByRole('button', { name: 'Browse with texts' }).click();
      await page.getByLabel('Reason').fill('a customer asked about number 12');
      await page.getByRole('button', { name: 'Show the texts' }).click();
      await page.getByText('answer 12').waitFor();
      expect(await readings()).toBe(before + 1);
      expect(await findBarriers(page)).toEqual([]);
      await takePictures(page, 'records-texts');
      await page.getByRole('button', { name: 'Hide the texts' }).click();
      await page.getByText('answer 12').waitFor({ state: 'detached' });
    });

    it('is exported as a file, and by bundles of the selection', async () => {
      await follow(page, site, 'records?external_message_id=message-3');
      await expectRows(1);
      await page.getByRole('checkbox', { name: /^Select [0-9a-f]{8}-/ }).check();
      await page.getByRole('button', { name: 'Export' }).click();
      const dialog = page.getByRole('dialog', { name: 'Export' });
      await dialog.getByText('The other filters are not applied').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      const [bundles] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Proof bundles' }).click(),
      ]);
      expect(bundles.suggestedFilename()).toBe('bundles.jsonl');
      const lines = (await readFile(await bundles.path(), 'utf8')).trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line).format)).toEqual(['answer-evidence-bundle/v2']);
      const [records] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'CSV', exact: true }).click(),
      ]);
      expect((await readFile(await records.path(), 'utf8')).split('\n').length).toBeGreaterThan(50);
    });

    it('is made into an evidence pack by its selection, at first without the texts', async () => {
      await follow(page, site, 'records?external_message_id=message-3');
      await expectRows(1);
      expect(await page.getByRole('button', { name: 'Evidence pack' }).isDisabled()).toBe(true);
      await page.getByRole('checkbox', { name: /^Select [0-9a-f]{8}-/ }).check();
      await page.getByRole('button', { name: 'Evidence pack' }).click();
      const dialog = page.getByRole('dialog', { name: 'Evidence pack' });
      expect(await findBarriers(page)).toEqual([]);
      await takePictures(page, 'pack');
      const make = async () => {
        const file = page.waitForEvent('download');
        await dialog.getByRole('button', { name: 'Make the pack' }).click();
        const content = await readFile(await (await file).path(), 'utf8');
        return JSON.parse(/id="bundle-1">(.*?)<\/script>/.exec(content)?.[1] ?? 'null');
      };
      const nothing = { question: null, answer: null };
      expect(await make()).toMatchObject({ format: 'answer-evidence-bundle/v2', record: { disclosed: nothing } });
      await dialog.getByText('over another channel').waitFor();
      await dialog.getByLabel('Include the texts').check();
      expect((await make()).record.disclosed.answer.text).toBe('answer 3');
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await dialog.waitFor({ state: 'detached' });
    });

    it('speaks German', async () => {
      await follow(page, site, 'records');
      await page.getByRole('button', { name: 'rita' }).click();
      await page.getByRole('menuitem', { name: 'Deutsch' }).click();
      await page.getByRole('heading', { name: 'Aufzeichnungen' }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      await page.getByRole('button', { name: 'rita' }).click();
      await page.getByRole('menuitem', { name: 'English' }).click();
      await page.getByRole('heading', { name: 'Records' }).waitFor();
    });
  });

  describe('a member who is no manager', () => {
    it('reads, and is offered nothing that the role does not permit', async () => {
      await page.getByRole('button', { name: 'rita' }).click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await signInAs(page, service, 'max');
      await page.getByRole('button', { name: 'max' }).waitFor();
      await page.goto(`${site.url}records`);
      await expectRows(50);
      expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0);
      await page.locator('tbody tr[tabindex]').first().click();
      await page.getByRole('heading', { name: 'Timeline' }).waitFor();
      expect(await page.getByRole('button', { name: 'Change the state' }).count()).toBe(0);
    });
  });

  it('needs less than 300 KB for its first page, compressed', async () => {
    await page.goto(`${site.url}records`);
    await expectRows(50);
    const loaded = await page.evaluate<readonly string[]>(
      'performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname).filter((path) => path.includes("/assets/"))',
    );
    const sizes = await Promise.all(
      [...new Set(loaded)].map(
        async (path) => gzipSync(await readFile(site.files + path.slice('/console'.length))).length,
      ),
    );
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000);
  });

  it('breaks no policy, asks no other host, and leaves a password, token or text nowhere', async () => {
    expect(watched.faults).toEqual([]);
    expect(await watched.findLeaks([PASSWORD, service.managerToken, 'question 1', 'answer 3'])).toEqual([]);
  });
});
