import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { until } from '../tools/scenery/service-process.ts';
import type { TestService } from '../tools/scenery/test-service.ts';
import { findBarriers, signInAs, takePictures } from './support/console.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

const HOSTILE = '<img src=x onerror=alert(1)> \u202Egnp';

describeInBrowser('the work on findings, in the console', () => {
  let watched: WatchedConsole;
  let service: TestService;
  let runPath = '';

  beforeAll(async () => {
    watched = await openWatchedConsole({ rita: 'manager', max: 'member' });
    ({ service } = watched);
    const at = (millis: number) => new Date(Date.now() + millis).toISOString();
    const { body } = await service.call('POST', '/api/reconciliations/runs', {
      body: {
        ...{ application_key: 'support-bot', match_on: 'idempotency_key' },
        ...{ window_start: at(-3_600_000), window_end: at(3_600_000) },
        references: ['one', 'three', HOSTILE].map((id) => ({ reference_id: id, occurred_at: at(0) })),
      },
    });
    runPath = `/api/reconciliations/runs/${body.id}`;
    await until('the run', async () => (await service.call('GET', runPath)).body.status === 'completed');
  }, 90_000);
  afterAll(() => watched.close());

  async function open(name: string, search = ''): Promise<Page> {
    const page = await watched.openPage();
    await page.goto(`${watched.site.url}reconciliation/${runPath.split('/').at(-1)}${search}`);
    await signInAs(page, service, name);
    return page;
  }
  const stepsOf = async (position: number) => (await service.call('GET', `${runPath}/triage/${position}`)).body.steps;

  it('is done by a member with the keyboard alone, and stands in the address', async () => {
    const page = await open('max');
    const dialog = page.getByRole('dialog');
    await page.getByText('3 open, 0 of them assigned; 0 resolved').waitFor();
    // Texts of a list are shown as what they are.
    await page.getByText('<img src=x onerror=alert(1)> U+202Egnp').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePictures(page, 'triage-list');
    await page.locator('tbody tr').first().focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await dialog.getByText('Nobody has worked on this finding yet').waitFor();
    expect(new URL(page.url()).searchParams.get('finding')).toBe('1');
    await dialog.getByRole('button', { name: 'Assign to me' }).press('Enter');
    await dialog.getByText('assigned it to max').waitFor();
    await dialog.getByRole('textbox', { name: 'Comment' }).fill(HOSTILE);
    await dialog.getByRole('button', { name: 'Comment', exact: true }).press('Enter');
    await dialog.getByText('<img src=x onerror=alert(1)> U+202Egnp').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePictures(page, 'triage-finding');
    await page.keyboard.press('Escape');
    await page.getByText('3 open, 1 of them assigned; 0 resolved').waitFor();
    await page.getByRole('combobox', { name: 'Assignee' }).selectOption('me');
    await until('the one row', async () => (await page.locator('tbody tr').count()) === 1);
    expect(new URL(page.url()).search).toBe('?assignee=me');
    await page.getByRole('cell', { name: 'max' }).waitFor();
    expect(await stepsOf(1)).toMatchObject([{ action: 'assign' }, { action: 'comment', text: HOSTILE }]);
    expect(watched.faults).toEqual([]);
    await page.context().close();
  });

  it('shows what somebody else did meanwhile, and keeps what was typed', async () => {
    const page = await open('rita', '?finding=1');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Comment' }).fill('the list was made twice');
    await dialog.getByRole('combobox', { name: 'Reason' }).selectOption('list_wrong');
    await service.call('POST', `${runPath}/triage/1/steps`, { body: { action: 'comment', text: 'I was first' } });
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await dialog.getByText('Somebody else has worked on this finding').waitFor();
    await dialog.getByText('I was first').waitFor();
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await dialog.getByText('resolved it: the list was wrong').waitFor();
    // A comment goes for good when it is confirmed, and the step stays.
    await dialog.getByRole('button', { name: 'Erase the text of step 2', exact: true }).click();
    await dialog.getByRole('button', { name: 'Erase the text of step 2 for good' }).click();
    await dialog.getByText('The text was erased.').waitFor();
    expect(await stepsOf(1)).toMatchObject([
      ...[{}, { text: null, text_state: 'erased' }, { text: 'I was first' }],
      { action: 'resolve', resolution: 'list_wrong', text: 'the list was made twice' },
      { action: 'erase', erases: 2 },
    ]);
    await page.context().close();
  });

  it('says by when findings are due, for one and for several, and shows what is overdue', async () => {
    const page = await open('rita', '?finding=2');
    const dialog = page.getByRole('dialog');
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const dueBy = 'Due by (end of day, UTC)';
    await dialog.getByLabel(dueBy).fill(day);
    await dialog.getByRole('button', { name: 'Set', exact: true }).click();
    await dialog.getByText('said: due on').waitFor();
    expect(await stepsOf(2)).toMatchObject([{ action: 'assign', assignee: null, due_at: `${day}T23:59:59.000000Z` }]);
    expect(await findBarriers(page)).toEqual([]);
    await takePictures(page, 'triage-due');
    // What was said is taken back by a step of its own.
    await dialog.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await dialog.getByRole('status').filter({ hasText: 'Undone.' }).waitFor();
    expect((await stepsOf(2)).map((step: { due_at: string | null }) => step.due_at)).toEqual([
      `${day}T23:59:59.000000Z`,
      null,
    ]);
    const due_at = new Date(Date.now() + 1).toISOString();
    const late = await service.call('POST', `${runPath}/triage/2/steps`, { body: { action: 'schedule', due_at } });
    expect(late.status).toBe(200);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Due' }).selectOption('overdue');
    await until('the one row', async () => (await page.locator('tbody tr').count()) === 1);
    expect(new URL(page.url()).search).toBe('?due=overdue');
    await page.getByText('; 1 resolved · 1 overdue').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePictures(page, 'triage-overdue');
    await page.getByRole('link', { name: 'Reconciliation' }).click();
    await page.getByRole('link', { name: '1 overdue' }).click();
    await page.waitForURL(/\?due=overdue&sort=due$/);
    await page.getByRole('checkbox', { name: 'Select every row of this page' }).check();
    await page.getByLabel(dueBy).fill(day);
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await page.getByText('No finding').waitFor();
    expect((await stepsOf(2)).map((step: { due_at: string }) => step.due_at)).toEqual([
      `${day}T23:59:59.000000Z`,
      null,
      due_at.replace('Z', '000Z'),
      `${day}T23:59:59.000000Z`,
    ]);
    expect(watched.faults).toEqual([]);
    await page.context().close();
  });

  it('is done for several findings at once, and in German', async () => {
    const page = await open('rita', '?state=open');
    await page.getByRole('button', { name: 'rita' }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await page.getByRole('checkbox', { name: 'Alle Zeilen dieser Seite auswählen' }).check();
    await page.getByText('2 Befunde sind ausgewählt').waitFor();
    await takePictures(page, 'triage-bulk');
    await page.getByRole('button', { name: 'Mir zuteilen' }).click();
    await page.getByText('2 offen, davon 2 zugeteilt; 1 erledigt').waitFor();
    // Each of the steps is taken back by one of its own, and done once more.
    await page.getByText('2 Befunde wurden geändert.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Rückgängig' }).click();
    await page.getByText('2 offen, davon 0 zugeteilt; 1 erledigt').waitFor();
    await page.getByRole('checkbox', { name: 'Alle Zeilen dieser Seite auswählen' }).check();
    await page.getByRole('button', { name: 'Mir zuteilen' }).click();
    await page.getByText('2 offen, davon 2 zugeteilt; 1 erledigt').waitFor();
    await page.getByRole('checkbox', { name: 'Alle Zeilen dieser Seite auswählen' }).check();
    await page.getByRole('button', { name: 'Erledigen' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Grund' }).selectOption('accepted');
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Erledigen' }).click();
    await page.getByText('0 offen, davon 0 zugeteilt; 3 erledigt').waitFor();
    await page.getByRole('combobox', { name: 'Stand' }).selectOption('resolved');
    await page.getByText('bekannt und hingenommen').first().waitFor();
    expect(await stepsOf(0)).toMatchObject([
      { action: 'assign', assignee: { username: 'rita' } },
      { action: 'assign', assignee: null },
      { action: 'assign', assignee: { username: 'rita' } },
      { action: 'resolve', resolution: 'accepted' },
    ]);
    expect(watched.faults).toEqual([]);
    await page.context().close();
  });
});
