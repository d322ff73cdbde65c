import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { answer, type TestService } from '../tools/scenery/test-service.ts';
import { findBarriers, takePictures } from './support/console.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

const HOSTILE = '<img src=x onerror="document.body.dataset.ran=1">30 days.';
const SOURCE = 'returns.md <script>document.body.dataset.ran=1</script>';
const SLOW_MS = 180_000;

describeInBrowser('a link to a record', () => {
  let watched: WatchedConsole;
  let service: TestService;
  let recordId = '';

  beforeAll(async () => {
    watched = await openWatchedConsole({ rita: 'manager' });
    ({ service } = watched);
    const made = await service.call('POST', '/api/answer-audit-logs', {
      body: answer('How long can I return a jacket?', HOSTILE, { source_refs: [{ source_name: SOURCE }] }),
    });
    recordId = made.body.id as string;
  }, 120_000);
  afterAll(() => watched.close());

  const allow = (isAllowed: boolean) =>
    service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_proof_links_enabled: isAllowed } });
  const make = async (body: object = {}): Promise<{ url: string; id: string; token: string }> =>
    (await service.call('POST', `/api/answer-audit-logs/${recordId}/proof-links`, { body })).body;

  /** Where a token is, apart from behind the `#` of the page's own address, which a browser sends to nobody. */
  const findLeaks = async (token: string) =>
    (await watched.findLeaks([token])).filter((found) => found.replace(/\/proof\/#.*$/, '').includes(token));

  /** Opens it as somebody who has nothing but the link, and waits until the page says something. */
  async function open(url: string, language = 'en-US'): Promise<Page> {
    const page = await watched.openPage({ locale: language, viewport: { width: 390, height: 800 } });
    await page.goto(url);
    await page.locator('body:is([data-state=proof], [data-state=ended])').waitFor();
    return page;
  }

  it(
    'is made in the console once the workspace allows it, and is shown there this once',
    async () => {
      await allow(false);
      await watched.enter(`records/${recordId}`, 'rita');
      await watched.button('Link for the person concerned').click();
      await watched.dialog().getByText('Switch it on in the settings first').waitFor();
      await allow(true);
      await watched.page.reload();
      await watched.button('Link for the person concerned').click();
      await watched.dialog().getByRole('button', { name: 'Make the link' }).click();
      const url = (await watched.dialog().getByRole('textbox', { name: 'The link' }).textContent()) ?? '';
      expect(url).toMatch(/\/proof\/#ael_[\w-]{86}$/);
      await watched.look('link-dialog');
      await watched.dialog().getByRole('button', { name: 'Revoke' }).click();
      await watched.dialog().getByText('revoked').first().waitFor();
      const ended = await open(url);
      expect(await ended.locator('#proof').innerText()).toBe(
        'This link was revoked. Ask for another one where you got it.',
      );
      expect(await findLeaks(url.split('#')[1] ?? '')).toEqual([]);
    },
    SLOW_MS,
  );

  it(
    'shows the record to anyone who has it, verified there, and runs nothing of it',
    async () => {
      await allow(true);
      const link = await make();
      const requests: string[] = [];
      const page = await open(link.url);
      page.on('request', (request) => requests.push(request.url()));
      await page.reload();
      await page.locator('body[data-state=proof]').waitFor();
      const text = await page.locator('#proof').innerText();
      expect(text).toContain('30 days.');
      expect(text).toContain('<img src=x');
      expect(text).toContain('returns.md <script>');
      expect(await page.locator('.text.matches').count()).toBeGreaterThan(0);
      expect(await page.locator('.FAIL').count()).toBe(0);
      expect(await page.evaluate(() => [document.body.dataset['ran'], document.cookie])).toEqual([undefined, '']);
      expect(requests.map((url) => new URL(url).pathname)).toEqual(['/proof/', '/api/proof-links/open']);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      expect(await findBarriers(page)).toEqual([]);
      await takePictures(page, 'proof-page');
      await page.getByLabel('Language').selectOption('de');
      await page.getByRole('heading', { name: 'Aufzeichnung einer Antwort' }).waitFor();
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Beweis dieser Aufzeichnung speichern' }).click();
      const saved = await readFile(join((await (await saving).path()) ?? ''), 'utf8');
      expect(JSON.parse(saved)).toMatchObject({ format: 'answer-evidence-bundle/v1' });
      expect(await findLeaks(link.token)).toEqual([]);
      expect(watched.faults).toEqual([]);
    },
    SLOW_MS,
  );

  it(
    'shows commitments alone, and says whether a text is the one that was recorded',
    async () => {
      await allow(true);
      const page = await open((await make({ shows: 'commitments' })).url);
      expect(await page.content()).not.toContain('30 days.');
      const compare = async (text: string) => {
        await page.locator('#own-text').fill(text);
        await page.getByRole('button', { name: 'Compare' }).click();
        return page.locator('.compare [role=status]').innerText();
      };
      expect(await compare(HOSTILE)).toMatch(/^It is the answer/);
      expect(await compare('How long can I return a jacket?')).toMatch(/^It is the question/);
      expect(await compare('31 days.')).toMatch(/^It is neither/);
      expect(await page.locator('.FAIL').count()).toBe(0);
      expect(await findBarriers(page)).toEqual([]);
      await takePictures(page, 'proof-commitments');
    },
    SLOW_MS,
  );

  it(
    'says in a sentence why it shows nothing, in both languages, and shows nothing else',
    async () => {
      await allow(true);
      const { url } = await make();
      const base = url.slice(0, url.indexOf('#'));
      for (const [language, address, sentence] of [
        ['en-US', base, 'This link is not complete. Open the whole link that you were given.'],
        ['de-DE', base, 'Dieser Link ist nicht vollständig. Öffnen Sie den ganzen Link, den Sie bekommen haben.'],
        ['en-US', `${url.slice(0, -9)}AAAAAAAAA`, /^This link is not valid\./],
        ['de-DE', `${base}#ael_x`, /^Dieser Link ist nicht gültig\./],
      ] as const) {
        const page = await open(address, language);
        const said = page.locator('#proof');
        expect(await said.innerText()).toEqual(
          typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
        );
        expect(await said.locator('*').count()).toBe(1);
      }
      // A link lives for a minute at least: the refusal of an expired one is that of a revoked one with another code.
      const opening = '**/api/proof-links/open';
      for (const [language, sentence] of [
        ['en-US', 'This link has expired. Ask for another one where you got it.'],
        ['de-DE', 'Dieser Link ist abgelaufen. Bitten Sie den, der ihn Ihnen gab, um einen neuen.'],
      ] as const) {
        const ended = await watched.openPage({ locale: language });
        await ended.route(opening, (route) =>
          route.fulfill({
            status: 410,
            contentType: 'application/problem+json',
            json: { type: 'about:blank', title: 'Gone', status: 410, code: 'proof_link_expired', detail: HOSTILE },
          }),
        );
        await ended.goto(url);
        await ended.locator('body[data-state=ended]').waitFor();
        expect(await ended.locator('#proof').innerText()).toBe(sentence);
        expect(await ended.locator('#proof *').count()).toBe(1);
        expect(await ended.content()).not.toContain('30 days.');
      }
      await service.call('POST', `/api/answer-audit-logs/${recordId}/events`, { body: { event_type: 'redacted' } });
      const page = await open(url, 'de-DE');
      expect(await page.locator('#proof').innerText()).toMatch(
        /^Die Aufzeichnung hinter diesem Link wurde geschwärzt\./,
      );
    },
    SLOW_MS,
  );
});
