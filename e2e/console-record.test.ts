import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { answer, type TestService } from '../tools/scenery/test-service.ts';
import { endSessions, findBarriers, openChecks, PASSWORD, takePictures, type TestConsole } from './support/console.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

describeInBrowser('a record in Chromium', () => {
  let watched: WatchedConsole;
  let service: TestService;
  let site: TestConsole;
  let page: Page;

  beforeAll(async () => {
    watched = await openWatchedConsole({ rita: 'manager' }, { reader: { timezoneId: 'Europe/Berlin' } });
    ({ service, site, page } = watched);
    await watched.enter('records', 'rita');
    await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
  }, 90_000);
  afterAll(() => watched.close());

  describe('a record', () => {
    const HOSTILE = '<img src=x onerror="alert(1)"><script>alert(2)</script> \u202Eright to left\u2066';
    const MESSAGE = `message ${HOSTILE}`;
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
          external_message_id: MESSAGE,
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

    it('says when it was recorded in the zone of the reader, and in UTC on hover', async () => {
      const { body } = await service.call('GET', `/api/answer-audit-logs/${id}`);
      const time = page.getByRole('region', { name: 'Timeline' }).locator('time').first();
      expect(await time.getAttribute('title')).toBe(`${body.created_at.replace('T', ' ').replace('Z', '')} UTC`);
      const format = { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Europe/Berlin' } as const;
      expect(await time.innerText()).toBe(new Intl.DateTimeFormat('en-GB', format).format(new Date(body.created_at)));
    });

    it('says how long no anchor attested it, and what reconciliation found about it', async () => {
      const section = page.getByRole('region', { name: 'Anchors and lists' });
      await section.getByText(/^\d+ (?:second|minute)s? so far: no anchor/).waitFor();
      await section.getByText('Not decided.').waitFor();
      await section.getByText('no completed reconciliation run covers the record').waitFor();
    });

    it('names the other records of its message, of its application alone, and leads to them', async () => {
      const section = page.getByRole('region', { name: 'Anchors and lists' });
      await section.getByText('None: no other record').waitFor();
      const { application_key } = (await service.call('GET', `/api/answer-audit-logs/${id}`)).body;
      const again = { application_key, external_message_id: MESSAGE, idempotency_key: 'again' };
      const made = await service.call('POST', '/api/answer-audit-logs', { body: answer('when?', 'at ten', again) });
      const other = answer('when?', 'at ten', { ...again, application_key: 'another-bot' });
      expect((await service.call('POST', '/api/answer-audit-logs', { body: other })).status).toBe(201);
      await page.reload();
      await section.getByRole('link', { name: made.body.id }).waitFor();
      expect(await section.getByRole('listitem').count()).toBe(1);
      await section.getByRole('link', { name: made.body.id }).click();
      await page.waitForURL(`${site.url}records/${made.body.id}`);
      await section.getByRole('link', { name: id }).click();
      await page.waitForURL(`${site.url}records/${id}`);
      await page.getByRole('button', { name: 'Show the texts' }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('to compare');
      await page.getByRole('dialog').getByRole('button', { name: 'Read the texts' }).click();
      await page.getByText('opens at nine').waitFor();
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
      expect(await page.locator('del').count()).toBe(0);
      const holds = page.getByRole('region', { name: 'Answer that holds now' });
      expect(await holds.innerText()).toBe('The office opens at eight in the morning.');
      await page.getByRole('button', { name: 'Compare with the first answer' }).click();
      await page.locator('del').first().waitFor();
      expect(await page.locator('del').allInnerTexts()).toEqual(['nine']);
      expect(await page.locator('ins').allInnerTexts()).toEqual(['eight']);
      await page.getByText('the hours changed <img').first().waitFor();
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
      const named = dialog.getByRole('checkbox').first();
      await named.check();
      await dialog.getByRole('textbox', { name: 'Reason' }).fill('asked for by the person');
      await dialog.getByText('Gone will be: 4 texts, 3 reasons, 1 source.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Erase for good' }).isDisabled()).toBe(true);
      await dialog.getByLabel('the end of the id of this record').fill(id.slice(-8));
      expect(await findBarriers(page)).toEqual([]);
      await takePictures(page, 'redact');
      await dialog.getByRole('button', { name: 'Erase for good' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Erased. Its hash stays in the log.').waitFor();
      // All that happened counts, and not the last event alone.
      await page
        .getByText(/corrected on .* voided on .* redacted on .* No answer holds\. The texts are gone\./)
        .waitFor();
      await page.getByText('The answer was voided: none holds.').waitFor();
      expect(await page.getByText('the original holds').count()).toBe(0);
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

    it('reads a small log by itself, to see whether a later event was left out, and leaves it on request', async () => {
      expect(await verify()).toMatchObject({ event_completeness: 'PASS' });
      await page.getByText('the log has no other event of this record').waitFor();
      await page.getByLabel('Also read the log').uncheck();
      expect(await verify()).toMatchObject({ event_completeness: 'SKIP' });
      await page.getByText('Whether an event was left out is not decided').waitFor();
    });

    it('asks for the password where the session has ended meanwhile, and then verifies', async () => {
      await endSessions(service, 'rita');
      await page.getByRole('button', { name: 'Verify now' }).click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.locator('input[type=password]').fill(PASSWORD);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await verify()).toMatchObject({ record_hash: 'PASS' });
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
      await page.getByRole('button', { name: 'Verify now' }).click();
      await page.getByText(/^All \d+ checks/).waitFor({ state: 'detached' });
      const table = await openChecks(page);
      const rows = await table
        .locator('tbody tr')
        .evaluateAll((all) =>
          all.map((row) => [
            row.querySelector('code')?.textContent ?? '',
            row.querySelector('[data-outcome]')?.textContent ?? '',
          ]),
        );
      return Object.fromEntries(rows);
    }
  });

  it('breaks no policy, asks no other host, and leaves a password, token, text or reason nowhere', async () => {
    expect(watched.faults).toEqual([]);
    const texts = ['The office opens', 'at nine', 'the hours changed', 'a customer called', 'asked for by the person'];
    expect(await watched.findLeaks([PASSWORD, service.managerToken, ...texts])).toEqual([]);
  });
});
