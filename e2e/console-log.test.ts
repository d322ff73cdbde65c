import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { answer, type TestService } from '../tools/scenery/test-service.ts';
import { endSessions, openChecks, PASSWORD, signInAs, type TestConsole } from './support/console.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

describeInBrowser('the console about the log of the workspace', () => {
  let watched: WatchedConsole;
  let service: TestService;
  let site: TestConsole;
  let page: Page;
  let recordId: string;

  beforeAll(async () => {
    watched = await openWatchedConsole({ rita: 'manager' });
    ({ service, site, page } = watched);
    await service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_default_retention_days: 30 } });
    const made = await service.call('POST', '/api/answer-audit-logs', { body: answer('when?', 'at nine') });
    recordId = made.body.id;
  }, 120_000);
  afterAll(() => watched.close());

  const button = (name: string) => watched.button(name);
  const look = (name: string) => watched.look(name);
  /** A field of the form, by its label with the mark of what is required. */
  const field = (label: RegExp) => page.locator('form').getByLabel(label).and(page.locator('input'));

  describe('a one-time link', () => {
    it('signs in from the form of the console, with a password that is chosen there', async () => {
      const made = await service.call('POST', '/api/members', { body: { username: 'lena', role: 'member' } });
      const link = made.body.password_link.url as string;
      await page.goto(`${site.url}log`);
      await button('I have a one-time link').click();
      await field(/^One-time link/).fill(link);
      await field(/^New password(?! again)/).fill('short');
      await page.getByText('Too short: at least 12 characters').waitFor();
      await field(/^New password(?! again)/).fill('a password by a link');
      await field(/^New password again/).fill('another password');
      await page.getByText('This is another password.').waitFor();
      await look('sign-in-link');
      await field(/^New password again/).fill('a password by a link');
      await button('Set the password and sign in').click();
      await page.getByText('Your role does not').waitFor();
      expect(page.url()).toBe(`${site.url}log`);
      const kept = await page.evaluate<string>(
        'JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href',
      );
      expect(kept).not.toContain(link.split('#')[1]);
      await look('log-forbidden');
      await page.getByRole('button', { name: 'lena' }).click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    });

    it('works once, and says so, with what was typed still there', async () => {
      const made = await service.call('POST', '/api/members', { body: { username: 'otto', role: 'member' } });
      const link = made.body.password_link.url as string;
      const { secret } = made.body.password_link as { secret: string };
      await service.call('POST', '/api/auth/password', { token: null, body: { secret, password: PASSWORD } });
      await button('I have a one-time link').click();
      await field(/^One-time link/).fill(link);
      await field(/^New password(?! again)/).fill(PASSWORD);
      await field(/^New password again/).fill(PASSWORD);
      await button('Set the password and sign in').click();
      await page.getByRole('alert').waitFor();
      expect(await field(/^One-time link/).inputValue()).toBe(link);
      await button('Sign in with a password').click();
    });
  });

  describe('the page of the log', () => {
    it('shows who did what, narrowed by filters that are in the address', async () => {
      await page.goto(`${site.url}log`);
      await signInAs(page, service, 'rita');
      await page.getByRole('heading', { level: 1, name: 'Log' }).waitFor();
      await page.getByRole('row', { name: /Settings changed.*Texts are kept for/ }).waitFor();
      await look('log');
      await page.getByLabel('What').selectOption('Token issued');
      await page.getByLabel('Who').selectOption('rita');
      await button('Search').click();
      const rows = page.locator('tbody tr');
      await page.locator('tbody').getByText('Log begun').waitFor({ state: 'detached' });
      await rows.first().getByText('console-rita-').waitFor();
      expect(await rows.count()).toBe(1);
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ type: 'token_issued' });
      await page.reload();
      await rows.first().getByText('console-rita-').waitFor();
      await button('Clear').click();
      await page.locator('tbody').getByText('Log begun').waitFor();
    });

    it('leads to an entry with its difference and what proves it', async () => {
      await page.goto(`${site.url}log?type=settings_changed`);
      await page.locator('tbody tr').first().getByRole('link').click();
      await page.getByRole('heading', { level: 1, name: 'Entry of the log' }).waitFor();
      const row = page.getByRole('row', { name: /answer_audit_default_retention_days/ });
      await row.waitFor();
      expect(await row.getByRole('cell').allInnerTexts()).toEqual([
        'Texts are kept for\nanswer_audit_default_retention_days',
        '365',
        '30',
      ]);
      await look('log-entry');
      const [receipt] = await Promise.all([page.waitForEvent('download'), button('Save the receipt').click()]);
      expect(receipt.suggestedFilename()).toMatch(/\.tlog-proof$/);
    });

    it('says of an entry that is not of this workspace that there is none', async () => {
      await page.goto(`${site.url}log/${crypto.randomUUID()}`);
      await page.getByText('Your workspace has nothing under this id.').waitFor();
    });
  });

  describe('a reveal', () => {
    it('is listed on the record, with who, when and why', async () => {
      await page.goto(`${site.url}records/${recordId}`);
      await page.getByText('The log has no reading of these texts.').waitFor();
      await button('Show the texts').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Why').selectOption('audit');
      await dialog.getByRole('textbox', { name: 'Reason' }).fill('the yearly audit <b>');
      await dialog.getByRole('button', { name: 'Read the texts' }).click();
      await dialog.waitFor({ state: 'detached' });
      const list = page.getByRole('region', { name: 'Timeline' });
      await list.getByText('the yearly audit <b>').waitFor();
      expect(await list.getByText('rita').count()).toBeGreaterThanOrEqual(1);
    });

    it('lets the verification in the browser decide about the texts, and is then another entry', async () => {
      await button('Verify now').click();
      const table = await openChecks(page);
      for (const check of ['question_commitment', 'answer_commitment'])
        expect(await table.getByRole('row', { name: check }).innerText()).toContain('PASS');
      await page.getByRole('region', { name: 'Timeline' }).getByText('the yearly audit').nth(1).waitFor();
      const found = await service.call('GET', `/api/tenant/entries?answer_log_id=${recordId}`);
      expect(found.body.items.map(({ core }: any) => core.reason)).toEqual(Array(2).fill('the yearly audit <b>'));
      await look('record-revealed');
    });
  });

  describe('a session that expires', () => {
    it('leaves the dialog with what was typed in it, and the decision is then made', async () => {
      await page.goto(`${site.url}records/${recordId}`);
      await button('Change the state').click();
      await page.getByRole('menuitem', { name: 'Void the answer' }).click();
      const dialog = page.getByRole('dialog', { name: 'Void the answer' });
      await dialog.getByRole('textbox', { name: 'Reason' }).fill('typed before the session ended');
      await endSessions(service, 'rita');
      await dialog.getByRole('button', { name: 'Void' }).click();
      const again = page.getByRole('dialog', { name: 'Your session has ended' });
      await again.waitFor();
      await look('session-expired');
      const kept = await page.evaluate<string>(
        'JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href',
      );
      expect(kept).not.toContain('typed before');
      await again.locator('input[type=password]').fill(PASSWORD);
      await again.getByRole('button', { name: 'Sign in' }).click();
      await again.waitFor({ state: 'detached' });
      expect(page.url()).toBe(`${site.url}records/${recordId}`);
      expect(await dialog.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('typed before the session ended');
      await dialog.getByRole('button', { name: 'Void' }).click();
      await dialog.waitFor({ state: 'detached' });
      const { body } = await service.call('GET', `/api/answer-audit-logs/${recordId}`);
      expect(body.events.map(({ reason }: any) => reason)).toEqual(['typed before the session ended']);
    });
  });

  it('breaks no policy, asks no other host, and has no fault', () => {
    expect(watched.faults).toEqual([]);
  });
});
