import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { until } from '../tools/scenery/service-process.ts';
import { answer, type TestService } from '../tools/scenery/test-service.ts';
import { findBarriers, signInAs, takePictures } from './support/console.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

describeInBrowser('the search field in Chromium', () => {
  let watched: WatchedConsole;
  let service: TestService;
  let page: Page;

  beforeAll(async () => {
    watched = await openWatchedConsole({ rita: 'manager' });
    ({ service, page } = watched);
    const records = ['May I return my jacket?', 'Are jackets waterproof?', 'Do you ship to Norway?'].map(
      (question, n) => answer(question, `answer ${n}`, { idempotency_key: `key-${n}` }),
    );
    await service.call('POST', '/api/answer-audit-logs/batch', { body: { records } });
  }, 90_000);
  afterAll(() => watched.close());

  const panel = () => page.locator('search');
  const entries = async (type: string) => (await service.call('GET', `/api/tenant/entries?type=${type}`)).body.items;

  it('says that words are not searched, and leads a manager to the setting', async () => {
    await page.goto(`${watched.site.url}log`);
    await signInAs(page, service, 'rita');
    await page.getByRole('heading', { name: 'Log' }).waitFor();
    await page.keyboard.press('/');
    await panel().getByText('The words of the texts are not searched').waitFor();
    await page.keyboard.type('jackets');
    await panel().getByRole('link', { name: 'Switch it on in the settings' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  it('finds words by the keyboard alone, for one reason, and shows how the texts begin after one entry', async () => {
    await service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_word_search_enabled: true } });
    await until('the index', async () => (await service.call('GET', '/api/search/words')).body.state === 'ready');
    await page.reload();
    await page.getByRole('heading', { name: 'Log' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('a customer asked today about jackets');
    await panel().getByRole('option', { name: 'Look in the texts for:' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.type('complaint 4471');
    await page.keyboard.press('Control+Enter');
    await panel().getByRole('option', { name: 'Show how these 2 texts begin' }).waitFor();
    expect(await panel().getByText('waterproof').count()).toBe(0);
    await page.keyboard.press('Enter');
    await panel().getByText('Are jackets waterproof?').waitFor();
    await takePictures(page, 'search');
    expect(await findBarriers(page)).toEqual([]);
    const [opened, ...others] = await entries('search_opened');
    expect([opened.core.reason, others]).toEqual(['complaint 4471', []]);
    const [read, ...more] = await entries('texts_revealed');
    expect(more).toEqual([]);
    expect(read.core).toMatchObject({
      operation: 'browseTexts',
      reason: 'complaint 4471',
      answer_log_ids: { length: 2 },
    });
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/records\/[0-9a-f-]{36}$/);
  });

  it('says in the settings how much is indexed while that goes on, and that it is done', async () => {
    const states = ['building', 'building', 'ready'].map((state, at) => ({
      state,
      indexed_entries: [12_000, 250_000, 1_000_000][at],
      entries: 1_000_000,
    }));
    let asked = 0;
    await page.route('**/api/search/words', (route) => route.fulfill({ json: states[Math.min(asked++, 2)] }));
    await page.goto(`${watched.site.url}settings`);
    const said = page.getByRole('main').getByRole('status');
    await said.getByText('12,000 of 1,000,000 entries of the log are indexed: 1 %').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePictures(page, 'settings-words');
    await said.getByText('250,000 of 1,000,000 entries of the log are indexed: 25 %').waitFor();
    expect(await page.getByRole('progressbar', { name: 'Texts that are indexed' }).getAttribute('aria-valuenow')).toBe(
      '25',
    );
    await said.getByText('Every text is indexed').waitFor();
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    const before = asked;
    await page.unroute('**/api/search/words');
    await page.reload();
    await said.getByText('Every text is indexed').waitFor();
    expect([before, watched.faults]).toEqual([3, []]);
  });
});
