import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DEFAULT_TRUST_POLICY } from '@answer-evidence/contracts';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { answer, type TestService } from '../tools/scenery/test-service.ts';
import { attestLog } from './support/attested-log.ts';
import { PASSWORD } from './support/console.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

describeInBrowser('the pages of the console beside the records', () => {
  let watched: WatchedConsole;
  let service: TestService;
  let page: Page;
  /** Whatever was shown once. */
  const secrets: string[] = [];

  beforeAll(async () => {
    watched = await openWatchedConsole({ rita: 'manager' });
    ({ service, page } = watched);
    await watched.enter('start', 'rita');
  }, 90_000);
  afterAll(() => watched.close());

  /** Opens a page by the navigation, as a reader does. */
  async function open(name: string, heading = name): Promise<void> {
    await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  }
  const button = (name: string) => watched.button(name);
  const look = (name: string) => watched.look(name);
  const shown = () => page.getByRole('textbox', { name: /^(Token|Password link|Set these)/ });

  /** Has the ledger checked, with the last line of the response held up until its progress was on the page. */
  async function checkLedger(): Promise<void> {
    await page.evaluate(`(() => {
      const own = fetch;
      globalThis.fetch = async (input, init) => {
        const reply = await own(input, init);
        if (!String(input).endsWith('/api/trust/ledger-checks?format=jsonl')) return reply;
        const lines = (await reply.text()).trimEnd().split('\\n').map((line) => new TextEncoder().encode(line + '\\n'));
        return new Response(new ReadableStream({
          async start(controller) {
            for (const line of lines.slice(0, -1)) controller.enqueue(line);
            await new Promise((resolve) => { globalThis.goOn = resolve; });
            controller.enqueue(lines.at(-1));
            controller.close();
          },
        }));
      };
    })()`);
    await button('Check now').click();
    const progress = page.getByRole('progressbar', { name: 'Progress of the check' });
    await progress.waitFor();
    expect(await progress.getAttribute('aria-valuenow')).toBe('100');
    await page.getByText(/^What is stored of each entry: (\d+) of \1$/).waitFor();
    await look('trust-checking');
    await page.evaluate('goOn()');
    await page.getByText('Nothing differs').waitFor();
    await progress.waitFor({ state: 'detached' });
  }

  it('leads from an empty workspace to the first record, which appears by itself', async () => {
    await page.getByRole('textbox', { name: 'Application', exact: true }).fill('first-bot');
    await button('Create the token').click();
    const variables = await shown().innerText();
    const token = /ANSWER_EVIDENCE_TOKEN=(\S+)/.exec(variables)?.[1] ?? '';
    secrets.push(token);
    await page.getByText('Waiting for the first record').waitFor();
    await look('start');
    const body = answer('a question', 'an answer', { application_key: 'first-bot' });
    expect((await service.call('POST', '/api/answer-audit-logs', { token, body })).status).toBe(201);
    await page.getByText('The first record is here').waitFor();
  });

  describe('tokens', () => {
    it('are shown once, are good, and are ended at once when they are revoked', async () => {
      await open('Tokens');
      await button('Issue a token').click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('nightly =1+1 <b>exe');
      await page.getByRole('textbox', { name: 'Application', exact: true }).fill('night-bot');
      await page.getByRole('checkbox', { name: 'answer_audit:read', exact: true }).check();
      await look('token-issue');
      await page.getByRole('dialog').getByRole('button', { name: 'Issue a token' }).click();
      const token = await shown().innerText();
      secrets.push(token);
      expect((await service.call('GET', '/api/whoami', { token })).body.application_key).toBe('night-bot');
      await look('token-secret');
      await button('I have it').click();
      expect(await page.content()).not.toContain(token);
      const row = page.getByRole('row', { name: /night-bot/ });
      await row.getByText('nightly =1+1 <b>exe').waitFor();
      await look('tokens');
      await row.getByRole('button', { name: /^Rotate/ }).click();
      await page.getByLabel('The old token stays good for').selectOption('1 hour');
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
      const second = await shown().innerText();
      secrets.push(second);
      await button('I have it').click();
      expect((await service.call('GET', '/api/whoami', { token })).status).toBe(200);
      await row.getByText('rotated').waitFor();
      await row
        .filter({ hasNotText: 'rotated' })
        .getByRole('button', { name: /^Revoke/ })
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await row.filter({ hasNotText: 'rotated' }).waitFor({ state: 'detached' });
      expect((await service.call('GET', '/api/whoami', { token: second })).status).toBe(401);
    });
  });

  describe('members', () => {
    it('get a link, and what another manager did first is shown before anything is overwritten', async () => {
      await open('Members');
      await button('Add a member').click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('otto');
      await page.getByRole('dialog').getByRole('button', { name: 'Add a member' }).click();
      const link = await shown().innerText();
      expect(link).toContain('/auth/password#');
      secrets.push(link.split('#')[1] ?? '');
      await button('I have it').click();
      await look('members');
      await button('Change otto').click();
      await page.getByRole('radio', { name: 'Manager' }).check();
      const { items } = (await service.call('GET', '/api/members')).body;
      const { id } = items.find((one: { username: string }) => one.username === 'otto');
      expect((await service.call('PATCH', `/api/members/${id}`, { body: { disabled: true } })).status).toBe(200);
      await button('Save').click();
      await page.getByText('Somebody else was first').waitFor();
      expect(await page.getByRole('alert').innerText()).toContain('may not sign in');
      expect(await page.getByRole('radio', { name: 'Manager' }).isChecked()).toBe(true);
      await look('member-conflict');
      await page.getByRole('checkbox', { name: 'May not sign in' }).check();
      await button('Save').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const now = (await service.call('GET', `/api/members/${id}`)).body;
      expect([now.role, now.disabled]).toEqual(['manager', true]);
      await button('Remove otto').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('row', { name: /otto/ }).getByText('removed').waitFor();
    });

    it('have any role, and keep where it holds when something else of them is changed', async () => {
      const { id } = (await service.call('POST', '/api/members', { body: { username: 'lena' } })).body;
      const accessOf = async () => (await service.call('GET', `/api/members/${id}`)).body.access;
      await page.reload();
      await button('Change lena').click();
      await page.getByRole('radio', { name: 'Reviewer' }).check();
      await page.getByRole('textbox', { name: 'Only in these applications' }).fill('billing-bot\n\n support-bot');
      await look('member-role');
      await button('Save').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const access = { role: 'reviewer', applications: ['billing-bot', 'support-bot'], environments: null };
      expect(await accessOf()).toEqual(access);
      await page.getByRole('row', { name: /lena/ }).getByText('only billing-bot, support-bot').waitFor();
      await button('Change lena').click();
      await page.getByRole('checkbox', { name: 'May not sign in' }).check();
      await button('Save').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await accessOf()).toEqual(access);
      // Managers are limited to nothing.
      await button('Change lena').click();
      await page.getByRole('radio', { name: 'Manager' }).check();
      await button('Save').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await accessOf()).toEqual({ role: 'manager', applications: null, environments: null });
    });
  });

  describe('settings', () => {
    it('say what they lead to, list what will change, and keep it when somebody else was first', async () => {
      await open('Settings');
      const question = page.getByRole('switch', { name: 'Store the text of questions' });
      await question.uncheck({ force: true });
      await page.getByText('Only the commitment is kept. To prove a question').waitFor();
      await service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_default_retention_days: 30 } });
      await button('Save').click();
      await page.getByText('Somebody else was first').waitFor();
      await look('settings-conflict');
      await button('Save').click();
      await page.getByText('Saved, and written into the log.').waitFor();
      const now = (await service.call('GET', '/api/tenant/settings')).body;
      expect(now).toMatchObject({
        answer_audit_store_question_text: false,
        answer_audit_default_retention_days: 30,
      });
      await button('Make a new key').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Make a new key' }).click();
      await page.getByRole('cell', { name: 'in use' }).waitFor();
      await look('settings');
    });
  });

  describe('trust', () => {
    it('says that nobody outside vouches, and shows a change of the policy before it is saved', async () => {
      await open('Trust');
      await page.getByText('Nobody', { exact: true }).last().waitFor();
      expect(await page.getByText('Nobody', { exact: true }).count()).toBe(2);
      await button('Add an anchor').click();
      await page.getByRole('menuitem', { name: 'File of this service' }).click();
      await button('Test this: copy').click();
      await page.getByText('It was not tried').waitFor();
      await page.getByText('Advanced: the same as texts').click();
      await page.getByLabel('Anchors in JSON').fill('[{"id":"A"}]');
      await page.getByText(/^0(\.type)?: /).waitFor();
      expect(await button('Save the policy').isDisabled()).toBe(true);
      await page.getByLabel('Anchors in JSON').fill('[{"id":"copy","type":"file"}]');
      // The form is of the same policy.
      await page.getByRole('textbox', { name: 'Name in the policy' }).fill('here');
      await page.getByLabel('Publish every (seconds)').fill('20');
      await look('trust-policy');
      await service.call('PUT', '/api/trust/policy', {
        body: { ...DEFAULT_TRUST_POLICY, anchor_interval_seconds: 7200 },
      });
      await button('Save the policy').click();
      await page.getByText('Somebody else was first').waitFor();
      await button('Save the policy').click();
      await page.getByText('Saved, and written into the log.').waitFor();
      const now = (await service.call('GET', '/api/trust/policy')).body;
      expect(now).toMatchObject({ checkpoint_interval_seconds: 20, anchors: [{ id: 'here', type: 'file' }] });
      await checkLedger();
      await button('Publish and anchor now').click();
      // The page asks again by itself.
      const plot = page.getByRole('img', { name: /^here: newest: [\d.]+ (?:sec|min)/ });
      await plot.waitFor({ timeout: 30_000 });
      await page.getByText('All figures').click();
      await page.getByRole('table', { name: 'Lag over time' }).getByRole('columnheader', { name: 'here' }).waitFor();
      await look('trust');
    });
  });

  describe('reconciliation', () => {
    it('reads a list, shows what it understood, and leads to the findings and their proof', async () => {
      const at = new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000).toISOString();
      const recorded = answer('a question', 'an answer', { application_key: 'list-bot', idempotency_key: 'here' });
      expect((await service.call('POST', '/api/answer-audit-logs', { body: recorded })).status).toBe(201);
      await open('Reconciliation');
      await page.getByRole('link', { name: 'Compare a list' }).click();
      const list = (time: string) => ({
        name: 'served.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`message,served_at\nhere,${time}\n"=1+1 \u202Egone",${time}\n`),
      });
      await page.locator('input[type=file]').setInputFiles(list('yesterday'));
      await page.getByText('Row 1: occurred_at').waitFor();
      await page.locator('input[type=file]').setInputFiles(list(at));
      await page.getByText('The first 2 of 2 rows').waitFor();
      await page.getByRole('combobox', { name: 'Application', exact: true }).fill('list-bot');
      await look('reconciliation-new');
      await button('Compare').click();
      await page.getByRole('heading', { level: 1, name: /^list-bot · / }).waitFor();
      const missing = page.getByRole('row', { name: /Missing/ });
      await missing.getByRole('cell', { name: '=1+1 U+202Egone' }).waitFor();
      expect(await page.locator('tbody tr').count()).toBe(1);
      await look('reconciliation-run');
      const saved = page.waitForEvent('download');
      await button('Proof').click();
      expect((await saved).suggestedFilename()).toBe('reconciliation-proof.json');
      await open('Reconciliation');
      await page.getByRole('row', { name: /list-bot/ }).waitFor();
      await page.getByRole('row', { name: /list-bot.*ended.*1 missing.*1 open/ }).waitFor();
      await page.locator('[data-chart="1"] .recharts-bar-rectangle path').first().waitFor();
      await look('reconciliation');
    });
  });

  describe('a log that others vouch for', () => {
    it('plots how long each witness took, and shows what the one said that does not cosign', async () => {
      await attestLog(service);
      await open('Trust');
      // The witness has gone since: what came after its last cosignature is not covered.
      await page.getByRole('img', { name: /w1: newest: .* · longest: [\d.]+ (?:sec|min)/ }).waitFor();
      const witnesses = page.getByRole('table', { name: 'Witnesses' });
      await witnesses
        .getByRole('row', { name: /w1/ })
        .getByText(/^\d+ entries/)
        .waitFor();
      const silent = witnesses.getByRole('row', { name: /w2/ });
      await silent.getByText('nothing yet').waitFor();
      await silent.getByText(/\d+ failures? in a row/).waitFor();
      const { items } = (await service.call('GET', '/api/trust/witnesses')).body;
      const { last_error: words } = items.find(({ name }: { name: string }) => name.includes('w2'));
      await silent.getByText(words).waitFor();
      await look('trust-witnessed');
    }, 120_000);
  });

  it('breaks no policy, asks no other host, and leaves a password, token or link nowhere', async () => {
    expect(watched.faults).toEqual([]);
    expect(secrets.filter((secret) => secret.length > 20)).toHaveLength(4);
    expect(await watched.findLeaks([PASSWORD, service.managerToken, ...secrets])).toEqual([]);
  });
});
