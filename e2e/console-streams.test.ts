import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findFreePort, listen } from '@answer-evidence/testing';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { until } from '../tools/scenery/service-process.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

const NAME = 'siem <img src=x onerror=alert(1)>';
const SECRET = 'Splunk the-secret-value';

describeInBrowser('streams, in the console', () => {
  let watched: WatchedConsole;
  beforeAll(async () => {
    watched = await openWatchedConsole({ rita: 'manager', max: 'member' });
    await watched.enter('streams', 'rita');
  }, 90_000);
  afterAll(() => watched.close());

  it('are added, tried, led elsewhere, disabled and removed, in both languages', async () => {
    const { page, service, button, dialog } = watched;
    const authorized: (string | undefined)[] = [];
    let status = 200;
    const collector = await listen((request, response) => {
      authorized.push(request.headers.authorization);
      request.resume().on('end', () => response.writeHead(status).end());
    });
    const streams = async () => (await service.call('GET', '/api/streams')).body.items;
    const choose = async (item: string) => {
      await page.getByRole('button', { name: /^More/ }).click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    };
    const row = page.getByRole('table', { name: 'Streams' }).getByRole('row').last();
    await page.getByText('Nothing is sent anywhere').waitFor();
    await watched.look('streams-none');
    await button('Add a stream').click();
    await dialog().getByLabel('Name').fill(NAME);
    const add = dialog().getByRole('button', { name: 'Add a stream' });
    await dialog().getByLabel('Address').fill(`${collector.url}/the-secret-path`);
    await dialog().getByLabel('Header that lets the service in').fill('Host');
    await dialog().getByLabel('Value of the header', { exact: true }).fill(SECRET);
    // A header that the service writes itself.
    await dialog().getByText('must not be a header that the service writes itself').waitFor();
    expect(await add.isDisabled()).toBe(true);
    await dialog().getByLabel('Header that lets the service in').fill('Authorization');
    await dialog().getByLabel('Begins with').selectOption('beginning');
    await watched.look('streams-add');
    await add.click();
    await row.getByText('sends', { exact: true }).waitFor();
    await row.getByText('nothing', { exact: true }).waitFor();
    expect(authorized[0]).toBe(SECRET);
    const [{ id, ...made }] = await streams();
    expect(made).toMatchObject({ name: NAME, format: 'ocsf', destination: { type: 'https', place: collector.url } });

    await page.getByRole('button', { name: /^Send a test to/ }).click();
    await page.getByRole('status').getByText('confirmed the test.').waitFor();
    status = 503;
    await page.getByRole('button', { name: /^Send a test to/ }).click();
    await page.getByRole('status').getByText('the collector responded 503').waitFor();

    await choose('Change');
    await dialog().getByLabel('Name').fill('night shift');
    await dialog().getByRole('switch', { name: 'Replace the destination' }).check({ force: true });
    await dialog().getByLabel('Destination', { exact: true }).selectOption('syslog');
    await dialog().getByLabel('Host').fill('127.0.0.1');
    await dialog()
      .getByLabel('Port')
      .fill(String(await findFreePort()));
    await dialog().getByLabel('Format').selectOption('json');
    await watched.look('streams-change');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await row.getByText('fails', { exact: true }).waitFor();
    await row.getByText('no usable response arrived').waitFor();
    expect(await streams()).toMatchObject([
      { id, name: 'night shift', format: 'json', destination: { type: 'syslog' } },
    ]);
    await watched.look('streams');

    await page.getByRole('button', { name: 'rita' }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Datenstrom hinzufügen' }).waitFor();
    await page.getByText('fällt aus', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'rita' }).click();
    await page.getByRole('menuitem', { name: 'English' }).click();
    await button('Add a stream').waitFor();

    await choose('Disable');
    await row.getByText('disabled', { exact: true }).waitFor();
    await choose('Remove');
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Nothing is sent anywhere').waitFor();
    expect(await streams()).toEqual([]);
    expect(watched.faults).toEqual([]);
    expect(await watched.findLeaks(['the-secret-value', 'the-secret-path'])).toEqual([]);
    await collector.close();
  }, 120_000);

  it('are led to from the overview, once one has failed for a while', async () => {
    const { page, service, site } = watched;
    const destination = { type: 'https', url: `http://127.0.0.1:${await findFreePort()}/` };
    await service.call('POST', '/api/streams', { body: { name: 'unheard', destination } });
    const attention = async () => (await service.call('GET', '/api/overview')).body.attention;
    await until('the overview names it', async () =>
      (await attention()).some(({ kind }: { kind: string }) => kind === 'stream_failing'),
    );
    await page.goto(site.url);
    const item = page.getByRole('listitem').filter({ hasText: 'The stream unheard fails' });
    await item.getByRole('link', { name: 'Look at it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Streams' }).waitFor();
    await page.getByRole('cell', { name: /^unheard/ }).waitFor();
  }, 120_000);
});
