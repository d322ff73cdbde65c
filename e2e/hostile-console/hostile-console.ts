import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestService } from '../../tools/scenery/test-service.ts';
import type { TestConsole } from '../support/console.ts';
import { findRanMarkup } from '../support/find-ran-markup.ts';
import { follow } from '../support/follow-page.ts';
import { openWatchedConsole, type WatchedConsole } from '../support/watched-console.ts';
import { bare } from './texts.ts';

/** A console that a manager reads, in which everything is hostile. */
export type HostileConsole = {
  readonly watched: WatchedConsole;
  readonly service: TestService;
  readonly site: TestConsole;
  readonly page: Page;
  /** What Chromium complained of, but for refused requests: pages show those. */
  readonly complaints: readonly string[];
  /** Sends a text in each of these fields; one that refuses it keeps its harmless value. The fields that took it. */
  put(path: string, base: object, texts: Readonly<Record<string, unknown>>): Promise<readonly string[]>;
  /** Reads a page and those after it, each held to the same rules; what every text of a tenant on them shows. */
  walk(path: string, heading: string): Promise<ReadonlySet<string>>;
  /** Nothing ran, nothing acts on what is beside it, nothing is wider than the page, and it is still the same page. */
  inspect(path: string): Promise<void>;
  /** Each of the texts is among what was shown. */
  expectShown(shown: ReadonlySet<string>, texts: readonly string[]): void;
};

/** Opens it, with texts stored, and signs its manager in. */
export async function openHostileConsole(): Promise<HostileConsole> {
  const watched = await openWatchedConsole({ rita: 'manager' });
  const { service, site, page } = watched;
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  const settings = { answer_audit_store_question_text: true, answer_audit_store_answer_text: true };
  await service.call('PATCH', '/api/tenant/settings', { body: settings });
  await watched.enter('records', 'rita');
  await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();

  const hostile: HostileConsole = {
    ...{ watched, service, site, page, complaints },
    async put(path, base, texts) {
      const reply = await service.call('POST', path, { body: { ...base, ...texts } });
      if (reply.status === 201 || reply.status === 202 || reply.status === 200) return Object.keys(texts);
      expect([400, 422]).toContain(reply.status);
      const refused = new Set((reply.body.errors ?? []).map((error: any) => error.pointer.split('/')[1]));
      const rest = Object.fromEntries(Object.entries(texts).filter(([field]) => !refused.has(field)));
      if (refused.size === 0 || Object.keys(rest).length === 0) return [];
      return hostile.put(path, base, rest);
    },
    async walk(path, heading) {
      const shown = new Set<string>();
      await follow(page, site, path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.locator('tbody tr, main .wrapped').first().waitFor();
      // The head of a page may be there before its list is.
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      for (;;) {
        await hostile.inspect(path);
        const texts = await page.locator('.wrapped').evaluateAll((all) => all.map((one) => one.textContent ?? ''));
        for (const text of texts) shown.add(bare(text));
        const next = page.getByRole('button', { name: 'Next page' });
        if ((await next.count()) === 0 || (await next.isDisabled())) return shown;
        const before = await page.locator('tbody').textContent();
        await next.click();
        // The text as it is stored: as it is shown, it would be laid out again each time.
        await page.waitForFunction((text) => {
          const rows = document.querySelector('table[aria-busy=false] tbody');
          return rows !== null && rows.textContent !== text;
        }, before);
      }
    },
    async inspect(path) {
      expect([path, await findRanMarkup(page)]).toEqual([path, []]);
      expect(new URL(page.url()).pathname).toBe(`/console/${path.split('?')[0]}`);
    },
    expectShown(shown, texts) {
      expect(texts.filter((text) => !shown.has(bare(text))).slice(0, 9)).toEqual([]);
    },
  };
  return hostile;
}
