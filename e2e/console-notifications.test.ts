import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { until } from '../tools/scenery/service-process.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

const NAME = 'on-call <img src=x onerror=alert(1)>';

describeInBrowser('notifications, in the console', () => {
  let watched: WatchedConsole;
  beforeAll(async () => {
    watched = await openWatchedConsole({ rita: 'manager' });
    await watched.enter('notifications', 'rita');
  }, 90_000);
  afterAll(() => watched.close());

  it('go to a webhook that is added, tried, changed, given a new secret, disabled and removed', async () => {
    const { page, service, button, dialog } = watched;
    const targets = async () => (await service.call('GET', '/api/notifications/targets')).body.items;
    const choose = async (item: string) => {
      await page.getByRole('button', { name: /^More/ }).click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    };
    await page.getByText('Nothing is told to anybody').waitFor();
    await button('Add a webhook').click();
    await dialog().getByLabel('Name').fill(NAME);
    await dialog().getByLabel('Address').fill('https://127.0.0.1:9/the-secret-path');
    await dialog().getByLabel('Only these').check();
    await dialog().getByLabel('A record was voided').check();
    await watched.look('notifications-add');
    await dialog().getByRole('button', { name: 'Add a webhook' }).click();
    const secret = await page.getByRole('textbox', { name: /^Secret of/ }).innerText();
    expect(secret).toMatch(/^whsec_/);
    await button('I have it').click();
    expect(await targets()).toMatchObject([{ name: NAME, event_types: expect.arrayContaining(['record.voided']) }]);

    // Nobody listens there, so that the delivery fails and says so.
    await page.getByRole('button', { name: /^Send a test to/ }).click();
    const deliveries = page.getByRole('table', { name: 'Deliveries to' });
    await deliveries.getByText('this is a test; nothing happened').waitFor();
    await until('the attempt is shown', async () => (await deliveries.getByRole('row').count()) === 2);
    await watched.look('notifications');

    await choose('Change');
    await dialog().getByLabel('Name').fill('night shift');
    await dialog().getByLabel('Everything, also types of later releases').check();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Deliveries to night shift' }).waitFor();
    expect(await targets()).toMatchObject([{ name: 'night shift', event_types: null, origin: 'https://127.0.0.1:9' }]);

    await choose('New secret');
    await dialog().getByRole('button', { name: 'New secret' }).click();
    const second = await page.getByRole('textbox', { name: /^Secret of/ }).innerText();
    expect(second).not.toBe(secret);
    await button('I have it').click();
    await page.getByText('Two secrets sign each delivery until').waitFor();

    await choose('Disable');
    await page.getByText('disabled', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Send a test to/ }).isDisabled()).toBe(true);
    await choose('Remove');
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Nothing is told to anybody').waitFor();
    expect(await targets()).toEqual([]);
    expect(watched.faults).toEqual([]);
    expect(await watched.findLeaks([secret, second, 'the-secret-path'])).toEqual([]);
  }, 120_000);
});
