import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { until } from '../tools/scenery/service-process.ts';
import { signInAs } from './support/console.ts';
import { openMailbox } from './support/mailbox.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

describeInBrowser('mails, in the console', () => {
  let mailbox: Awaited<ReturnType<typeof openMailbox>>;
  let watched: WatchedConsole;
  beforeAll(async () => {
    mailbox = await openMailbox();
    watched = await openWatchedConsole(
      { rita: 'manager', max: 'member' },
      { environment: { SERVICE_SMTP_URL: mailbox.url, SERVICE_SMTP_FROM: 'evidence@example.com' } },
    );
  }, 90_000);
  afterAll(async () => {
    await watched.close();
    await mailbox.close();
  });

  const codeTo = async (address: string): Promise<string> =>
    /^[0-9a-f]{24}$/m.exec((await mailbox.waitFor(({ to }) => to === address)).text)?.[0] ?? '';

  it('go to the address that a member sets, confirms, gives another digest and removes', async () => {
    const { page, button, dialog } = watched;
    await watched.enter('my-notifications', 'max');
    await page.getByLabel('Address of mail').fill('max@example.com');
    await page.getByLabel('When').selectOption('daily');
    await page.getByLabel('At', { exact: true }).selectOption('8');
    await page.getByLabel('Only these').check();
    await page.getByLabel('A record was voided').check();
    // What a member may not read cannot be chosen.
    expect(await page.getByLabel('A hold was placed').count()).toBe(0);
    await watched.look('my-notifications-new');
    await button('Send the code').click();
    await page.getByText('not confirmed yet').waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(await codeTo('max@example.com'));
    await watched.look('my-notifications-code');
    await button('Confirm').click();
    await page.getByText('mails go there').waitFor();
    await page.getByLabel('When').selectOption('hourly');
    await button('Save').click();
    await page.getByText('Saved.').waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await watched.look('my-notifications');
    await page.setViewportSize({ width: 1280, height: 900 });
    const [set] = (await watched.service.call('GET', '/api/notifications/targets')).body.items;
    expect(set).toMatchObject({
      event_types: ['record.voided'],
      mail: { digest: 'hourly', hour: null },
      state: 'active',
    });
    await button('Remove').click();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await button('Send the code').waitFor();
    expect((await watched.service.call('GET', '/api/notifications/targets')).body.items).toEqual([]);
    expect(watched.faults).toEqual([]);
  }, 120_000);

  it('go to an address of the workspace, which a manager adds with a digest and confirms', async () => {
    const page = await watched.openPage();
    await page.goto(`${watched.site.url}notifications`);
    await signInAs(page, watched.service, 'rita');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add a mail address', exact: true }).click();
    await dialog.getByLabel('Name').fill('auditors');
    await dialog.getByLabel('Address of mail').fill('auditors@example.com');
    await dialog.getByLabel('When').selectOption('hourly');
    await dialog.getByRole('button', { name: 'Send the code' }).click();
    await page.getByText('its address is not confirmed;').waitFor();
    const code = await codeTo('auditors@example.com');
    await page.getByRole('button', { name: /^More/ }).click();
    await page.getByRole('menuitem', { name: 'Enter the code' }).click();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(code);
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
    const target = async () => (await watched.service.call('GET', '/api/notifications/targets')).body.items[0];
    await until('active', async () => (await target()).state === 'active');
    expect(await target()).toMatchObject({ name: 'auditors', mail: { digest: 'hourly', member_id: null } });
    await page.context().close();
    expect(watched.faults).toEqual([]);
  }, 120_000);
});
