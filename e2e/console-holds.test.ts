import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { answer } from '../tools/scenery/test-service.ts';
import { signInAs } from './support/console.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

const MATTER = 'Case 7 <img src=x onerror=alert(1)>';

describeInBrowser('holds, in the console', () => {
  let watched: WatchedConsole;
  let recordId: string;
  const place = async (body: object): Promise<string> =>
    (await watched.service.call('POST', '/api/holds', { body })).body.id;
  const release = (id: string) =>
    watched.service.call('POST', `/api/holds/${id}/release`, { body: { reason: 'settled' } });

  beforeAll(async () => {
    watched = await openWatchedConsole({ rita: 'manager', max: 'member' });
    const body = answer('a question', 'an answer', { application_key: 'held-bot' });
    recordId = (await watched.service.call('POST', '/api/answer-audit-logs', { body })).body.id;
    await watched.enter('records', 'rita');
    await watched.page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
  }, 90_000);
  afterAll(() => watched.close());

  it('are named on the page of a record, and say beforehand that a redaction is refused', async () => {
    const { page, site, dialog } = watched;
    const id = await place({ matter: MATTER, reason: 'a claim', answer_log_ids: [recordId] });
    await page.goto(`${site.url}records/${recordId}`);
    await page.locator('main').getByText(`On hold: ${MATTER}`).waitFor();
    await watched.look('record-held');
    const openDialog = async () => {
      await page.getByRole('button', { name: 'Change the state' }).click();
      await page.getByRole('menuitem', { name: 'Redact the record' }).click();
      await dialog()
        .getByLabel(/^Type /)
        .fill(recordId.slice(-8));
      await dialog().getByRole('textbox', { name: 'Reason' }).fill('asked for');
    };
    const redact = dialog().getByRole('button', { name: 'Erase for good' });
    await openDialog();
    await dialog().getByText(`On hold: ${MATTER}`).waitFor();
    await dialog().getByText('A redaction is refused until').waitFor();
    expect(await redact.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });

    await release(id);
    await page.reload();
    await page.getByRole('button', { name: 'Change the state' }).waitFor();
    await openDialog();
    expect(await redact.isEnabled()).toBe(true);
    expect(await page.getByText('On hold:').count()).toBe(0);
  }, 60_000);

  it('are not asked for by a reader who may not see them', async () => {
    const { site, service } = watched;
    const id = await place({ matter: MATTER, reason: 'a claim', filters: {} });
    const page = await watched.openPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${site.url}records/${recordId}`);
    await signInAs(page, service, 'max');
    await page.getByRole('heading', { name: 'Question and answer' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(asked.some((path) => path.endsWith(`/answer-audit-logs/${recordId}`))).toBe(true);
    expect(asked.filter((path) => path.includes('/holds'))).toEqual([]);
    expect(await page.getByText('On hold:').count()).toBe(0);
    await page.context().close();
    await release(id);
  }, 60_000);

  it('are placed by filters and by ids, listed with what they cover, and released with a reason', async () => {
    const { page, site, service, button, dialog } = watched;
    const stored = async () => (await service.call('GET', '/api/holds')).body.items;
    await page.goto(`${site.url}records`);
    await page.getByRole('link', { name: 'Holds', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Holds' }).waitFor();
    await button('Place a hold').click();
    const confirm = dialog().getByRole('button', { name: 'Place a hold' });
    await dialog().getByLabel('Matter').fill('Case 8');
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('a claim');
    // No filter would be every record, which is a choice of its own.
    expect(await confirm.isDisabled()).toBe(true);
    await dialog().getByLabel('Application').fill('held-bot');
    await dialog().getByLabel('Recorded from (UTC)').fill('2020-02-03');
    await watched.look('holds-place');
    await confirm.click();
    const row = page.getByRole('table', { name: 'Holds' }).getByRole('row').nth(1);
    await row.getByText('Case 8').waitFor();
    await row.getByText('Application: held-bot').waitFor();
    await row.getByText('Recorded from (UTC): 2020-02-03', { exact: true }).waitFor();
    await row.getByRole('link', { name: '1 record', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Hold' }).waitFor();
    await page.locator('main').getByText('Case 8').waitFor();
    await page.getByRole('table', { name: 'Records' }).getByText('held-bot').waitFor();
    expect(await page.getByRole('table').getByRole('link').getAttribute('href')).toContain(recordId);
    await watched.look('hold');
    await page.goBack();
    await row.waitFor();
    const filters = { application_key: 'held-bot', created_after: '2020-02-03T00:00:00.000000Z' };
    const [byFilters] = await stored();
    expect(byFilters).toMatchObject({ matter: 'Case 8', reason: 'a claim', filters, answer_log_ids: null });

    await button('Place a hold').click();
    await dialog().getByLabel('Matter').fill('Case 9');
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('an audit');
    await dialog().getByLabel('Which records').selectOption('ids');
    await dialog().getByLabel('Ids of records').fill('no id');
    await confirm.click();
    await dialog()
      .getByRole('alert')
      .getByText(/answer_log_ids/)
      .first()
      .waitFor();
    await dialog().getByLabel('Ids of records').fill(`${recordId}\n`);
    await confirm.click();
    await row.getByText('named by their ids').waitFor();
    await watched.look('holds');

    await page.getByRole('button', { name: 'Release the hold: Case 8' }).click();
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('settled out of court');
    await dialog().getByRole('button', { name: 'Release', exact: true }).click();
    await page.getByRole('table').getByText('settled out of court').waitFor();
    expect(await page.getByRole('button', { name: /^Release the hold/ }).count()).toBe(1);
    const [byIds, released] = await stored();
    expect(byIds).toMatchObject({ matter: 'Case 9', answer_log_ids: [recordId], release: null });
    expect(released).toMatchObject({ id: byFilters.id, release: { reason: 'settled out of court' } });
    await release(byIds.id);
  }, 90_000);

  it('are counted in the overview, for a reader who may see them', async () => {
    const { page, site } = watched;
    const ids = [
      await place({ matter: 'Case 10', reason: 'a claim', filters: { environment: 'nobody' } }),
      await place({ matter: 'Case 11', reason: 'a claim', filters: {} }),
    ];
    await page.goto(site.url);
    const line = page.getByRole('listitem').filter({ hasText: '2 holds are in force' });
    await line.waitFor();
    await watched.look('overview-holds');
    await line.getByRole('link', { name: 'Look at them' }).click();
    await page.getByRole('heading', { level: 1, name: 'Holds' }).waitFor();
    await page.getByRole('link', { name: '0 records' }).click();
    await page.getByText('It covers no record').waitFor();
    for (const id of ids) await release(id);
  }, 60_000);

  it('are named before evidence of a held record is redacted', async () => {
    const { page, site, service, dialog } = watched;
    const asset = (
      await service.call('POST', '/api/evidence-assets', {
        body: { application_key: 'held-bot', segments: ['14 days'] },
      })
    ).body;
    const used = (await service.call('POST', `/api/evidence-assets/${asset.id}/retrieve`, { body: {} })).body;
    const body = answer('used evidence', 'an answer', {
      application_key: 'held-bot',
      evidence_access_event_ids: [used.access_event_id],
      source_refs: [used.source_ref],
    });
    const { id } = (await service.call('POST', '/api/answer-audit-logs', { body })).body;
    const held = await place({ matter: MATTER, reason: 'a claim', answer_log_ids: [id] });
    await page.goto(`${site.url}evidence/${asset.id}`);
    await page
      .getByRole('button', { name: /^Redact/ })
      .first()
      .click();
    await dialog().getByText(`On hold: ${MATTER}`).waitFor();
    await watched.look('evidence-held');
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('asked for');
    expect(await dialog().getByRole('button', { name: 'Erase for good' }).isDisabled()).toBe(true);
    await release(held);
  }, 60_000);

  it('count in the forecast of the settings what waits for their release', async () => {
    const { page, site } = watched;
    await page.route('**/api/tenant/retention-forecast', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), on_hold: { texts: 12, relation: 'gte' } } });
    });
    await page.goto(`${site.url}settings`);
    await page.getByText('more than 12 are past their time and kept by a hold.').waitFor();
    await page.unrouteAll();
    expect(watched.faults).toEqual([]);
  }, 60_000);
});
