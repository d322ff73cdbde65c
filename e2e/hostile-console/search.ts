import { expect, it } from '@jest/globals';
import type { SearchResult } from '@answer-evidence/contracts';
import type { HostileConsole } from './hostile-console.ts';
import { bare, ELSEWHERE, NAMES } from './texts.ts';

/** Texts at once in a reply: each is shown, and so many do not hide one another. */
const AT_ONCE = 40;

/** Tests of hostile texts in the search box: what is typed, and what a search says of it. */
export function testSearch(open: () => HostileConsole): void {
  it('do nothing as what somebody searches for', async () => {
    const { site, page, inspect } = open();
    await page.goto(`${site.url}records`);
    const field = page.locator('header search input');
    const texts = [ELSEWHERE, ...NAMES.filter((text) => text.trim() !== '' && text.length < 60).slice(0, 12)];
    for (const text of texts) {
      await field.fill(text);
      await page.locator('header search [role=status]').waitFor();
      await page.locator('header search [aria-busy=true]').waitFor({ state: 'detached' });
      await inspect('records');
    }
    await page.keyboard.press('Escape');
  }, 120_000);

  it('do nothing as words that were found, left out or replaced by similar ones', async () => {
    const { service, site, page, inspect } = open();
    const { items } = (await service.call('GET', '/api/answer-audit-logs?size=20')).body;
    const some = NAMES.filter((text) => text.trim() !== '').slice(0, AT_ONCE);
    const result: SearchResult = {
      understood: some.slice(0, 5).map((text) => ({
        means: ['application'],
        filters: { application_key: text },
        total: 2,
        total_relation: 'eq',
      })),
      not_understood: some.join(' '),
      items,
      words: {
        state: 'searched',
        used: some,
        left_out: some,
        similar: some.map((word) => ({ word, instead: some.slice(0, 3) })),
        is_limited: true,
        is_complete: false,
      },
    };
    await page.route('**/api/search', (route) => route.fulfill({ json: result }));
    await page.goto(`${site.url}records`);
    await page.locator('header search input').fill('anything');
    const said = page.locator('header search [role=status]');
    await said.getByText('so common').waitFor();
    await inspect('records');
    const shown = bare((await said.textContent()) ?? '');
    expect(some.filter((text) => !shown.includes(bare(text)))).toEqual([]);
    await page.unroute('**/api/search');
    await page.keyboard.press('Escape');
  }, 60_000);
}
