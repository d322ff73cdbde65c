import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { answer } from '../tools/scenery/test-service.ts';
import { signInAs } from './support/console.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

const WHY = 'withdrawn <img src=x onerror=alert(1)>';

describeInBrowser('two people, in the console', () => {
  let watched: WatchedConsole;
  beforeAll(async () => {
    watched = await openWatchedConsole({ rita: 'manager', otto: 'manager' });
  }, 90_000);
  afterAll(() => watched.close());

  it('ask and approve: a void is done when the second one says so, and not before', async () => {
    const { page, service, button, dialog } = watched;
    const answer_audit_two_people = { acts: ['void'] };
    await service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_two_people } });
    const { id } = (await service.call('POST', '/api/answer-audit-logs', { body: answer('How long?', '30 days.') }))
      .body;
    const statusOf = async () => (await service.call('GET', `/api/answer-audit-logs/${id}`)).body.status;

    await watched.enter(`records/${id}`, 'rita');
    await page.getByRole('button', { name: 'Change the state' }).click();
    await page.getByRole('menuitem', { name: 'Void the answer' }).click();
    await dialog().getByLabel('Reason').fill('the source is gone');
    await dialog().getByRole('button', { name: 'Void' }).click();
    const asking = page.getByRole('dialog', { name: 'A second person must approve this' });
    await asking.getByLabel('Reason').fill(WHY);
    await watched.look('approvals-ask');
    await asking.getByRole('button', { name: 'Ask for approval' }).click();
    await button('Withdraw: void of a record').waitFor();
    await page.getByRole('cell', { name: WHY }).waitFor();
    expect(await button('Approve: void of a record').count()).toBe(0);
    expect(await statusOf()).toBe('recorded');

    const other = await watched.openPage();
    await other.goto(`${watched.site.url}approvals`);
    await signInAs(other, service, 'otto');
    await other.getByRole('button', { name: 'Approve: void of a record' }).click();
    const deciding = other.getByRole('dialog', { name: 'Approve: void of a record' });
    await deciding.getByText('"event_type": "voided"').waitFor();
    await deciding.getByRole('button', { name: 'Approve' }).click();
    await other.getByText('Nothing waits for a second person').waitFor();
    expect(await statusOf()).toBe('voided');
    await page.reload();
    await button('Show all requests').click();
    await page.getByText('approved', { exact: true }).waitFor();
    await watched.look('approvals');
    expect(watched.faults).toEqual([]);
  }, 120_000);
});
