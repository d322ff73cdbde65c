import { setTimeout } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';
import type { TestConsole } from './console.ts';

const QUIET_MS = 500;

/**
 * Opens a page within the console, as a link does: that takes a tenth of loading the console anew. A page that is not
 * there is between, so that nothing stays open of the page before, even if it is the same one.
 */
export async function follow(page: Page, { url }: Pick<TestConsole, 'url'>, path: string): Promise<void> {
  const nowhere = page.getByRole('heading', { level: 1, name: /^(There is no such page|Diese Seite gibt es nicht)$/ });
  const lead = (to: string) => page.evaluate((address) => history.pushState({}, '', address), new URL(to, url).href);
  await lead('nowhere');
  await nowhere.waitFor();
  await lead(path);
  await nowhere.waitFor({ state: 'detached' });
}

/** Returns what waits until a page has asked nothing for a while, as `networkidle` does for one that is loaded. */
export function watchRequests(page: Page): () => Promise<void> {
  const waiting = new Set<Request>();
  let changed = 0;
  const end = (request: Request) => {
    waiting.delete(request);
    changed = performance.now();
  };
  page.on('request', (request) => waiting.add(request));
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return async () => {
    changed = performance.now();
    for (let left = QUIET_MS; left > 0; left = waiting.size > 0 ? QUIET_MS : changed + QUIET_MS - performance.now())
      await setTimeout(left);
  };
}
