import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../tools/scenery/browser.ts';
import { finish, type ServiceProcess, startCliCommand, until } from '../tools/scenery/service-process.ts';
import {
  addMember,
  endSessions,
  findBarriers,
  openTestConsole,
  PASSWORD,
  signInAs,
  takePictures,
  type TestConsole,
  watchPages,
} from './support/console.ts';

const MINUTES_MS = 60_000;
const CODE = /type this code: ([A-Z]{4}-[A-Z]{4})/;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-device-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describeInBrowser('a program that a person signs in', () => {
  let site: TestConsole;
  let browser: Browser;

  beforeAll(async () => {
    site = await openTestConsole();
    await addMember(site.service, 'rita', 'manager');
    await addMember(site.service, 'max', 'member');
    browser = await openBrowser();
  }, 90_000);
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  /** Starts the command, and waits for the code that it shows. */
  async function startLogin(home: string): Promise<{ readonly login: ServiceProcess; readonly code: string }> {
    const login = startCliCommand(
      ['--registry', site.service.baseUrl, 'login', '--device', '--workspace', site.service.workspace],
      join(folder, home),
    );
    let code: string | undefined;
    await until('the code', () => {
      code = CODE.exec(login.stderr.join('\n'))?.[1];
      return code !== undefined;
    });
    return { login, code: code ?? '' };
  }
  async function openPage(name: string) {
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
    const faults = await watchPages(context, new URL(site.url).origin);
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    await page.goto(`${site.url}device`);
    await signInAs(page, site.service, name);
    return { context, page, faults };
  }

  it(
    'acts as them once they have typed its code and approved it, and no code stands in an address',
    async () => {
      const { login, code } = await startLogin('approved');
      expect(login.stderr.join('\n')).toContain(`${site.service.baseUrl}/console/device`);
      const { context, page, faults } = await openPage('max');
      const addresses: string[] = [];
      page.on('request', (request) => void addresses.push(request.url()));
      await page.getByRole('textbox', { name: 'Code' }).fill('BBBB-BBBB');
      await page.keyboard.press('Enter');
      await page.getByText('No sign-in waits under this code').waitFor();
      await takePictures(page, 'device-unknown');
      await page.getByRole('textbox', { name: 'Code' }).fill(code.toLowerCase());
      await endSessions(site.service, 'max');
      await page.keyboard.press('Enter');
      const ended = page.getByRole('dialog', { name: 'Your session has ended' });
      await ended.locator('input[type=password]').fill(PASSWORD);
      await ended.getByRole('button', { name: 'Sign in' }).click();
      await ended.waitFor({ state: 'detached' });
      // The code is still there.
      await page.getByRole('textbox', { name: 'Code' }).press('Enter');
      await page.getByText('answer-evidence command line').waitFor();
      await page.getByText('127.0.0.1').waitFor();
      await page.getByText('everything that max can do as a member of').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await takePictures(page, 'device-asked');
      await page.getByRole('button', { name: 'Approve' }).press('Enter');
      await page.getByText('Approved. The program is signed in').waitFor();
      const { code: exit, stdout, stderr } = await finish(login);
      expect([exit, stdout]).toEqual([0, expect.stringMatching(/signed in as +max/)]);
      const saved = await readFile(join(folder, 'approved', 'config.yaml'), 'utf8');
      const token = /token: (aeu_\S+)/.exec(saved)?.[1] ?? '';
      const whoami = await site.service.call('GET', '/api/whoami', { token });
      expect(whoami.body).toMatchObject({ username: 'max', role: 'member' });
      const told = [stdout, stderr, ...site.service.reports].join('\n');
      for (const secret of [token, 'aed_']) expect(told).not.toContain(secret);
      expect(addresses.filter((address) => address.includes(code))).toEqual([]);
      expect(faults).toEqual([]);
      await context.close();
    },
    MINUTES_MS,
  );

  it(
    'is told that they denied it, in German as well',
    async () => {
      const { login, code } = await startLogin('denied');
      const { context, page } = await openPage('rita');
      await page.getByRole('button', { name: 'rita' }).click();
      await page.getByRole('menuitem', { name: 'Deutsch' }).click();
      await page.getByRole('heading', { name: 'Ein Programm anmelden' }).waitFor();
      await page.getByRole('textbox', { name: 'Code' }).fill(code);
      await page.getByRole('button', { name: 'Weiter' }).click();
      await page.getByText('als Verwalter von').waitFor();
      await page.getByRole('button', { name: 'Ablehnen' }).click();
      await page.getByText('Abgelehnt').waitFor();
      const { code: exit, stderr } = await finish(login);
      expect([exit, stderr]).toEqual([1, expect.stringContaining('access_denied')]);
      await context.close();
    },
    MINUTES_MS,
  );
});
