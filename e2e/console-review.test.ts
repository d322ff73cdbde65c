import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from './support/browser.ts';
import {
  addMember,
  endSessions,
  findBarriers,
  openTestConsole,
  PASSWORD,
  signInAs,
  takePictures,
  type TestConsole,
  watchPages,
} from './support/console.ts';
import { answer, type TestService } from './support/test-service.ts';

describeInBrowser('reviewing in Chromium', () => {
  let service: TestService;
  let site: TestConsole;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let faults: readonly string[];

  beforeAll(async () => {
    site = await openTestConsole();
    service = site.service;
    await addMember(service, 'rita', 'manager');
    await addMember(service, 'max', 'member');
    for (let n = 0; n < 53; n++) {
      const body = answer(`question ${n}`, `answer ${n}`, { external_message_id: `message-${n}` });
      expect((await service.call('POST', '/api/answer-audit-logs', { body })).status).toBe(201);
    }
    browser = await openBrowser();
    context = await browser.newContext({
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      viewport: { width: 1280, height: 900 },
    });
    faults = await watchPages(context, new URL(site.url).origin);
    page = await context.newPage();
    page.setDefaultTimeout(30_000);
  }, 90_000);
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  /** So many rows, once they are there. */
  async function expectRows(count: number): Promise<void> {
    await page
      .locator('tbody tr')
      .nth(count - 1)
      .waitFor();
    await page.locator('tbody tr').nth(count).waitFor({ state: 'detached' });
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
      await page.locator('tbody tr').first().waitFor();
      await page.getByLabel('Environment').fill('typed before');
      await endSessions(service, 'rita');
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.locator('[role=dialog] input[type=password]').fill(PASSWORD);
      await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expectRows(3);
      expect(await page.getByLabel('Environment').inputValue()).toBe('typed before');
    });

    it('leaves no password, token or text in what the browser keeps', async () => {
      const kept = await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })');
      expect(kept).not.toMatch(/password|question \d|answer \d/i);
      expect(kept).not.toContain(service.managerToken);
    });
  });

  describe('the list of records', () => {
    it('is read by the keyboard alone: rows, selection, opening', async () => {
      await page.goto(`${site.url}records`);
      await expectRows(50);
      expect(await findBarriers(page)).toEqual([]);
      await takePictures(page, 'records');
      await page.locator('tbody tr').first().focus();
      await page.keyboard.press('j');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Space');
      await page.getByText('1 record is selected.').waitFor();
      await page.keyboard.press('End');
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Record', exact: true }).waitFor();
      expect(page.url()).toMatch(/\/records\/[0-9a-f-]{36}$/);
    });

    it('has its filters in the address, and finds by a review key', async () => {
      await page.goto(`${site.url}records`);
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
      await page.goto(`${site.url}records?external_message_id=message-3`);
      await page.getByRole('button', { name: 'Saved views' }).click();
      await page.getByRole('menuitem', { name: 'Save this view' }).click();
      await page.getByLabel('Name of the view').fill('Number three');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.goto(`${site.url}records`);
      await page.getByRole('button', { name: 'Saved views' }).click();
      await page.getByRole('menuitem', { name: 'Number three' }).click();
      await expectRows(1);
    });

    it('is exported as a file, and by bundles of the selection', async () => {
      await page.goto(`${site.url}records?external_message_id=message-3`);
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
        dialog.getByRole('button', { name: 'CSV' }).click(),
      ]);
      expect((await readFile(await records.path(), 'utf8')).split('\n').length).toBeGreaterThan(50);
    });

    it('is made into an evidence pack by its selection, at first without the texts', async () => {
      await page.goto(`${site.url}records?external_message_id=message-3`);
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
      await dialog.getByLabel('Put the texts').check();
      expect((await make()).record.disclosed.answer.text).toBe('answer 3');
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });
    });

    it('speaks German', async () => {
      await page.goto(`${site.url}records`);
      await page.getByRole('button', { name: 'rita' }).click();
      await page.getByRole('menuitem', { name: 'Deutsch' }).click();
      await page.getByRole('heading', { name: 'Aufzeichnungen' }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      await page.getByRole('button', { name: 'rita' }).click();
      await page.getByRole('menuitem', { name: 'English' }).click();
      await page.getByRole('heading', { name: 'Records' }).waitFor();
    });
  });

  describe('a record', () => {
    const HOSTILE = '<img src=x onerror="alert(1)"><script>alert(2)</script> \u202Eright to left\u2066';
    let id: string;

    beforeAll(async () => {
      await service.call('PATCH', '/api/tenant/settings', {
        body: { answer_audit_store_question_text: true, answer_audit_store_answer_text: true },
      });
      const { body } = await service.call('POST', '/api/answer-audit-logs', {
        body: answer(HOSTILE, 'The office opens at nine in the morning.', {
          application_key: HOSTILE.slice(0, 60).replace('\u202E', ''),
          source_refs: [
            { source_ref_id: 'hours', title: HOSTILE, url: 'javascript:alert(3)' },
            { source_ref_id: 'long', text: 'x'.repeat(15_000) },
          ],
          semantic_refs: [{ name: HOSTILE }],
          mode: 'careful',
        }),
      });
      id = body.id;
    });

    it('shows its texts only when asked, as texts', async () => {
      await page.goto(`${site.url}records/${id}`);
      await page.getByRole('heading', { name: 'Question and answer' }).waitFor();
      expect(await page.getByText('opens at nine').count()).toBe(0);
      const sent = page.waitForResponse((reply) => reply.url().endsWith(`/answer-audit-logs/${id}`));
      await page.reload();
      expect(await (await sent).text()).not.toContain('opens at nine');
      await page.getByRole('button', { name: 'Show the texts' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Why').selectOption('complaint');
      await dialog.getByRole('textbox', { name: 'Reason' }).fill('a customer called');
      await dialog.getByRole('button', { name: 'Read the texts' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('opens at nine').waitFor();
      expect(await page.getByRole('region', { name: 'Question', exact: true }).innerText()).toContain(
        '<script>alert(2)</script>',
      );
      expect(await page.getByText('U+202E').count()).toBeGreaterThan(0);
      expect(await page.locator('a[href^="javascript"], main script, main img').count()).toBe(0);
    });

    it('says how long no anchor attested it, and what reconciliation found about it', async () => {
      const section = page.getByRole('region', { name: 'Anchors and lists' });
      await section.getByText(/^\d+ (?:second|minute)s? so far: no anchor/).waitFor();
      await section.getByText('Not decided. no completed reconciliation run covers the record').waitFor();
    });

    it('is corrected with a reason, and shows both answers with what differs', async () => {
      await choose('Correct the answer');
      const dialog = page.getByRole('dialog');
      expect(await findBarriers(page)).toEqual([]);
      await takePictures(page, 'correct');
      await dialog.getByLabel('The right answer').fill('The office opens at eight in the morning.');
      expect(await dialog.getByRole('button', { name: 'Append the correction' }).isDisabled()).toBe(true);
      await dialog.getByRole('textbox', { name: 'Reason' }).fill(`the hours changed ${HOSTILE}`);
      await dialog.getByRole('button', { name: 'Append the correction' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await page.locator('del').allInnerTexts()).toEqual(['nine']);
      expect(await page.locator('ins').allInnerTexts()).toEqual(['eight']);
      await page.getByText('the hours changed <img').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await takePictures(page, 'record');
    });

    it('says when somebody else changed it, and keeps what was typed', async () => {
      await choose('Void the answer');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Reason' }).fill('it was wrong all along');
      const body = { event_type: 'correction_appended', payload: { corrected_answer_text: 'at seven' } };
      await service.call('POST', `/api/answer-audit-logs/${id}/events`, { body });
      await dialog.getByRole('button', { name: 'Void' }).click();
      await dialog.getByText('Somebody changed this record').waitFor();
      expect(await dialog.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('it was wrong all along');
      await dialog.getByRole('button', { name: 'Void' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('It must no longer be used.').waitFor();
    });

    it('is kept longer, and then redacted with the sources that were chosen', async () => {
      await choose('Extend the retention');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Keep until').fill(await nextYear());
      await dialog.getByRole('textbox', { name: 'Reason' }).fill('a dispute');
      await dialog.getByRole('button', { name: 'Extend' }).click();
      await dialog.waitFor({ state: 'detached' });
      await choose('Redact the record');
      await dialog.getByLabel('Source hours').check();
      await dialog.getByRole('textbox', { name: 'Reason' }).fill('asked for by the person');
      expect(await findBarriers(page)).toEqual([]);
      await takePictures(page, 'redact');
      await dialog.getByRole('button', { name: 'Erase for good' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Erased. Its hash stays in the log.').waitFor();
      expect(await page.getByText('The text was redacted.').count()).toBeGreaterThan(1);
      const { body } = await service.call('GET', `/api/answer-audit-logs/${id}`);
      expect(body.source_refs.map((ref: object) => 'tombstone' in ref)).toEqual([true, false]);
      expect(body.events.map((event: any) => event.event_type)).toEqual([
        'correction_appended',
        'correction_appended',
        'voided',
        'retention_extended',
        'redacted',
      ]);
    });

    it('fits a narrow screen, however long its words are', async () => {
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await page.setViewportSize({ width: 1280, height: 900 });
    });

    it('of nobody here is said to be missing', async () => {
      await page.goto(`${site.url}records/${crypto.randomUUID()}`);
      await page.getByText('Your workspace has nothing under this id.').waitFor();
    });

    /** A day after the one until which the record is kept. */
    async function nextYear(): Promise<string> {
      const { body } = await service.call('GET', `/api/answer-audit-logs/${id}`);
      const year = Number(body.retention_until.slice(0, 4)) + 1;
      return `${year}-01-15`;
    }

    async function choose(action: string): Promise<void> {
      await page.getByRole('button', { name: 'Change the state' }).click();
      await page.getByRole('menuitem', { name: action }).click();
      await page.getByRole('dialog', { name: action }).waitFor();
    }
  });

  describe('verification in the browser', () => {
    let id: string;

    beforeAll(async () => {
      const { body } = await service.call('POST', '/api/answer-audit-logs', { body: answer('when?', 'at nine') });
      id = body.id;
      await page.goto(`${site.url}records/${id}`);
    });

    it('says where the keys come from, and remembers those that the reader pins', async () => {
      await page.getByText('None is pinned in this browser.').waitFor();
      await page.getByRole('button', { name: 'Pin these keys' }).click();
      await page.getByText('Keys that you pinned in this browser').waitFor();
      await page.reload();
      await page.getByText('Keys that you pinned in this browser').waitFor();
    });

    it('shows each check, and what it does not prove', async () => {
      expect(await verify()).toMatchObject({
        answer_commitment: 'SKIP',
        merkle_inclusion: 'PASS',
        record_hash: 'PASS',
      });
      await page.getByText('no verdict over all of them').waitFor();
      await page.getByText('a bundle with them decides this check').first().waitFor();
      expect(await page.getByRole('columnheader', { name: 'What it does not prove' }).count()).toBe(1);
      expect(await findBarriers(page)).toEqual([]);
      await takePictures(page, 'verification');
    });

    it('reads the log on request, to see whether a later event was left out', async () => {
      expect(await verify()).toMatchObject({ event_completeness: 'SKIP' });
      await page.getByLabel('Also read the log').check();
      expect(await verify()).toMatchObject({ event_completeness: 'PASS' });
      await page.getByLabel('Also read the log').uncheck();
    });

    it('names the check that fails for a bundle that was altered', async () => {
      await page.route(/\/trust\/proofs\/answers\//, async (route) => {
        const body = await (await route.fetch()).text();
        await route.fulfill({
          body: body.replace('"answer":null', '"answer":{"text":"at nine","key":null}'),
          contentType: 'application/json',
        });
      });
      const outcomes = await verify();
      await page.unrouteAll();
      expect(Object.keys(outcomes).filter((check) => outcomes[check] === 'FAIL')).toEqual(['answer_commitment']);
    });

    it('hands out verify.html as a file, which no address of the service shows as a page', async () => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Save verify.html' }).click(),
      ]);
      expect(file.suggestedFilename()).toBe('verify.html');
      const content = await readFile(await file.path(), 'utf8');
      expect(content.includes('http-equiv="Content-Security-Policy"') && content.length > 100_000).toBe(true);
      const { headers } = await fetch(`${site.url}verify.html`);
      expect(headers.get('content-disposition')).toBe('attachment; filename="verify.html"');
    });

    it('counts no signature of a key that is not pinned', async () => {
      const { status } = await service.call('POST', '/api/trust/keys', { body: {} });
      expect(status).toBe(201);
      await page.reload();
      await page.getByText('The service names keys that you did not pin').waitFor();
      await page.getByRole('button', { name: 'Forget the pinned keys' }).click();
      await page.getByText('None is pinned in this browser.').waitFor();
    });

    /** The outcome of each check, once the worker is done. */
    async function verify(): Promise<Record<string, string>> {
      const table = page.getByRole('table', { name: 'Verification in this browser' });
      await page.getByRole('button', { name: 'Verify now' }).click();
      await table.waitFor({ state: 'detached' });
      await table.waitFor();
      const rows = await table
        .locator('tbody tr')
        .evaluateAll((all) =>
          all.map((row) => [
            row.querySelector('code')?.textContent ?? '',
            row.querySelector('span')?.textContent ?? '',
          ]),
        );
      return Object.fromEntries(rows);
    }
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
      await page.locator('tbody tr').first().click();
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

  it('breaks no policy, asks no other host, and has no fault', () => {
    expect(faults).toEqual([]);
  });
});
