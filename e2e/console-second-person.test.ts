import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { APPROVAL_ACTS } from '@answer-evidence/contracts';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { answer } from '../tools/scenery/test-service.ts';
import { addMember, findBarriers, signInAs } from './support/console.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

const WHY = 'because of the audit';

describeInBrowser('an act of the console that needs two people', () => {
  let watched: WatchedConsole;
  let evidence: { readonly asset: string; readonly record: string };
  const call = async (method: string, path: string, body?: object) =>
    (await watched.service.call(method, path, { body })).body;
  const asking = () => watched.page.getByRole('dialog', { name: 'A second person must approve this' });
  const openRequests = async () => (await call('GET', '/api/approvals?state=open')).items;

  beforeAll(async () => {
    watched = await openWatchedConsole({ rita: 'manager', otto: 'manager' });
    await addMember(watched.service, 'leaver', 'member');
    await addMember(watched.service, 'riser', 'member');
    evidence = await useEvidence();
    const filters = { application_key: 'held-bot' };
    await call('POST', '/api/holds', { matter: 'Case 7', reason: 'announced', filters });
    await call('PATCH', '/api/tenant/settings', { answer_audit_two_people: { acts: [...APPROVAL_ACTS] } });
    await watched.enter('settings', 'rita');
    await watched.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  }, 90_000);
  afterAll(() => watched.close());
  beforeEach(async () => {
    for (const { id } of await openRequests()) await call('POST', `/api/approvals/${id}/decline`);
  });

  async function useEvidence() {
    const upload = { application_key: 'bot', content_base64: Buffer.from('some terms\n').toString('base64') };
    const asset = (await call('POST', '/api/evidence-assets', upload)).id;
    const used = await call('POST', `/api/evidence-assets/${asset}/retrieve`, { purpose: 'answer' });
    const bound = { source_refs: [used.source_ref], evidence_access_event_ids: [used.access_event_id] };
    const body = answer('a question', 'an answer', { application_key: 'bot', ...bound });
    return { asset, record: (await call('POST', '/api/answer-audit-logs', body)).id };
  }

  /** Asks in the dialog, and expects the one request that waits. */
  async function ask(expected: object): Promise<void> {
    await asking().getByLabel('Reason').fill(WHY);
    await asking().getByRole('button', { name: 'Ask for approval' }).click();
    await watched.page.getByRole('heading', { level: 1, name: 'Second person' }).waitFor();
    expect(await openRequests()).toMatchObject([{ reason: WHY, ...expected }]);
  }

  it('keeps what was typed where its reader does not ask, and asks on another try: the settings', async () => {
    const { page, site } = watched;
    await page.goto(`${site.url}settings`);
    const field = page.getByLabel('Texts are kept for');
    await field.fill('400');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await asking().waitFor();
    await watched.look('second-person-settings');
    await asking().getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('a second person must approve this').waitFor();
    expect(await openRequests()).toEqual([]);
    expect(await field.inputValue()).toContain('400');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await ask({ act: 'settings', request: { settings: { answer_audit_default_retention_days: 400 } } });
  }, 60_000);

  it('is to loosen what needs two people, which the settings say in words', async () => {
    const { page, site } = watched;
    await page.goto(`${site.url}settings`);
    await page.getByLabel('void of a record').uncheck();
    await page.getByLabel('Records that one person may export within a day').fill('7');
    await page.getByLabel('Time for a decision').selectOption('3600');
    await page.getByText('exports above 7 records a day (1 hour)').waitFor();
    await watched.look('second-person-policy');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const acts = APPROVAL_ACTS.filter((act) => act !== 'void');
    const policy = { acts, expires_within: 3600, exports_above: 7 };
    await ask({ act: 'settings', request: { settings: { answer_audit_two_people: policy } } });
    expect((await call('GET', '/api/tenant/settings')).answer_audit_two_people.acts).toEqual([...APPROVAL_ACTS]);
  }, 60_000);

  it('is asked for with the whole policy: the trust policy', async () => {
    const { page, site } = watched;
    await page.goto(`${site.url}trust`);
    await page.getByLabel('Publish every (seconds)').fill('77');
    await page.getByRole('button', { name: 'Save the policy' }).click();
    await ask({ act: 'trust_policy', request: { trust_policy: { checkpoint_interval_seconds: 77 } } });
  }, 60_000);

  describe('about a member', () => {
    beforeEach(() => watched.page.goto(`${watched.site.url}members`));

    it('is asked for: that they are removed', async () => {
      const { page, dialog } = watched;
      await page.getByRole('button', { name: 'Remove leaver' }).click();
      await dialog().getByRole('button', { name: 'Remove' }).click();
      await ask({ act: 'members', request: { member: { change: 'remove' } } });
    }, 60_000);

    it('is asked for one at a time: another role', async () => {
      const { page, dialog } = watched;
      await page.getByRole('button', { name: 'Change riser' }).click();
      await dialog()
        .getByRole('radio', { name: /^Auditor/i })
        .check();
      await dialog().getByLabel('May not sign in').check();
      await dialog().getByRole('button', { name: 'Save' }).click();
      await dialog().getByText('one change at a time').waitFor();
      await dialog().getByLabel('May not sign in').uncheck();
      await dialog().getByRole('button', { name: 'Save' }).click();
      await ask({ act: 'members', request: { member: { change: 'access', access: { role: 'auditor' } } } });
      const { items } = await call('GET', '/api/members');
      expect(items.find((one: { username: string }) => one.username === 'riser').role).toBe('member');
    }, 60_000);
  });

  it('is asked for: the placing of a hold, and its release', async () => {
    const { page, site, dialog } = watched;
    await page.goto(`${site.url}holds`);
    await page.getByRole('button', { name: 'Place a hold' }).click();
    await dialog().getByLabel('Matter').fill('Case 8');
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('a claim');
    await dialog().getByLabel('Which records').selectOption('everything');
    await dialog().getByRole('button', { name: 'Place a hold' }).click();
    await ask({ act: 'hold_placing', request: { hold: { matter: 'Case 8', reason: 'a claim', filters: {} } } });

    await page.goto(`${site.url}holds`);
    await page.getByRole('button', { name: 'Release the hold: Case 7' }).click();
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('settled');
    await dialog().getByRole('button', { name: 'Release', exact: true }).click();
    await asking().getByLabel('Reason').fill(WHY);
    await asking().getByRole('button', { name: 'Ask for approval' }).click();
    await page.getByText('release of a hold').waitFor();
    await watched.look('second-person-holds');
    expect((await openRequests()).map(({ act }: { act: string }) => act)).toEqual(['hold_release', 'hold_placing']);
    expect((await call('GET', '/api/holds?status=in_force')).items).toHaveLength(1);
  }, 60_000);

  describe('that leaves the service', () => {
    const taking = () => watched.page.getByRole('dialog', { name: 'Make the approved export' });
    const requestPage = () => watched.page.goto(`${watched.site.url}approvals`);

    /** Clicks what saves a file, and reads it. */
    async function save(dialog: Locator, name: string): Promise<string> {
      const file = watched.page.waitForEvent('download');
      await dialog.getByRole('button', { name, exact: true }).click();
      return readFile(await (await file).path(), 'utf8');
    }

    /** Expects that a page is no wider than a telephone. */
    async function expectNarrow(page: Page): Promise<void> {
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await page.setViewportSize({ width: 1280, height: 900 });
    }

    async function showAll(page: Page): Promise<void> {
      await page.goto(`${watched.site.url}approvals?all=yes`);
      await page.getByRole('cell', { name: WHY }).first().waitFor();
    }

    it('is asked for in words, approved in words, and made once by who asked: an export', async () => {
      const { page, site, service, dialog } = watched;
      await page.goto(`${site.url}records?application_key=bot`);
      await page.getByRole('button', { name: 'Export' }).click();
      await dialog().getByRole('button', { name: 'JSON Lines' }).click();
      for (const words of ['File: JSON Lines, with the texts', 'Records: 1 record.', 'Application: bot'])
        await asking().getByText(words, { exact: true }).waitFor();
      await watched.look('second-person-export');
      await ask({ act: 'export', request: { export: { format: 'jsonl', application_key: 'bot', records: 1 } } });
      expect(await page.getByRole('button', { name: 'Export now' }).count()).toBe(0);
      await call('POST', '/api/answer-audit-logs', answer('a later question', 'an answer', { application_key: 'bot' }));

      const other = await watched.openPage();
      await other.goto(`${site.url}approvals`);
      await signInAs(other, service, 'otto');
      await other.getByRole('button', { name: 'Approve: export of records' }).click();
      const deciding = other.getByRole('dialog');
      for (const words of ['Nothing leaves by this', 'Records: 1', 'Application: bot', 'Recorded before: '])
        await deciding.getByText(words).waitFor();
      expect(await findBarriers(other)).toEqual([]);
      await deciding.getByRole('button', { name: 'Approve' }).click();
      await other.getByText('Nothing waits for a second person').waitFor();
      await showAll(other);
      await other.getByText('Only who asked can make it.').waitFor();
      expect(await other.getByRole('button', { name: 'Export now' }).count()).toBe(0);

      await requestPage();
      await page.getByText('You can make it now.').waitFor();
      await watched.look('second-person-approved');
      await expectNarrow(page);
      await page.getByRole('button', { name: 'Export now' }).click();
      await taking().getByText('Records: 1').waitFor();
      await watched.look('second-person-take');
      const lines = (await save(taking(), 'JSON Lines')).trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line).id)).toEqual([evidence.record]);
      await taking().getByText('the request is used up').last().waitFor();
      await taking().getByRole('button', { name: 'Close' }).last().click();
      await page.getByText('Nothing waits for a second person').waitFor();
      await showAll(page);
      await page.getByText('It has been made.').waitFor();
      await watched.look('second-person-used');
    }, 90_000);

    it('is made as it was approved, and says where it was not in time or was used meanwhile: a pack', async () => {
      const { page, site, dialog } = watched;
      await page.goto(`${site.url}records/${evidence.record}`);
      await page.getByRole('button', { name: 'Evidence pack' }).click();
      await dialog().getByLabel('Made for').fill('the auditor');
      await dialog().getByLabel('Include the texts').check();
      await dialog().getByRole('button', { name: 'Make the pack' }).click();
      for (const words of ['File: evidence pack, with the texts', 'Records: 1', 'Made for: the auditor'])
        await asking().getByText(words, { exact: true }).waitFor();
      await watched.look('second-person-pack');
      await ask({ act: 'export', request: { pack: { answer_log_ids: [evidence.record], recipient: 'the auditor' } } });
      const [{ id }] = await openRequests();
      await call('POST', `/api/approvals/${id}/approve`);

      const lists = '**/api/approvals?*';
      await page.route(lists, async (route) => {
        const response = await route.fetch();
        const text = (await response.text()).replaceAll(/"expires_at":"\d{4}/g, '"expires_at":"2020');
        await route.fulfill({ response, body: text });
      });
      await showAll(page);
      await page.getByText('It was not made in time.').waitFor();
      expect(await page.getByRole('button', { name: 'Make the pack' }).count()).toBe(0);
      await page.unroute(lists);

      await requestPage();
      const stale = await page.context().newPage();
      await stale.goto(`${site.url}approvals`);
      await stale.getByRole('button', { name: 'Make the pack' }).click();
      await page.getByRole('button', { name: 'Make the pack' }).click();
      expect(await save(taking(), 'Make the pack')).toContain(evidence.record);
      await taking().getByText('the request is used up').last().waitFor();
      const late = stale.getByRole('dialog');
      await late.getByRole('button', { name: 'Make the pack' }).click();
      await late.getByRole('alert').getByText('the request does not allow an export: used').waitFor();
      await stale.close();
    }, 90_000);
  });

  it('is asked for with the evidence that it erases, and done as it was asked for: a redaction', async () => {
    const { page, site, service, dialog } = watched;
    await page.goto(`${site.url}evidence/${evidence.asset}`);
    await page.getByRole('button', { name: `Redact ${evidence.record}` }).click();
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('personal data');
    await dialog().getByRole('button', { name: 'Erase for good' }).click();
    await ask({ act: 'redaction', request: { event: { answer_log_id: evidence.record } } });
    const original = async () => (await call('GET', `/api/evidence-assets/${evidence.asset}`)).original;
    expect(await original()).toBe('stored');

    const other = await watched.openPage();
    await other.goto(`${site.url}approvals`);
    await signInAs(other, service, 'otto');
    await other.getByRole('button', { name: 'Approve: redaction of a record' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await other.getByText('Nothing waits for a second person').waitFor();
    expect(await original()).toBe('erased');
    expect(watched.faults).toEqual([]);
  }, 60_000);
});
