import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openBrowser } from '../../tools/scenery/browser.ts';
import type { TestService } from '../../tools/scenery/test-service.ts';
import {
  addMember,
  findBarriers,
  openTestConsole,
  signInAs,
  takePictures,
  type TestConsole,
  watchPages,
} from './console.ts';

/** A service with its console, its members, and the page of a reader; whatever goes wrong in a page is noted. */
export type WatchedConsole = {
  readonly site: TestConsole;
  readonly service: TestService;
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Faults of scripts, breaches of the policy and requests to other hosts, in any page of any context here. */
  readonly faults: readonly string[];
  /**
   * Where any of these secrets stands that pages must leave it nowhere: addresses of requests and of pages, what the
   * browser keeps, what it says in its console, and what the service reports.
   */
  findLeaks(secrets: readonly string[]): Promise<readonly string[]>;
  /** The page of another reader, who shares nothing with the first. Its context is closed by the caller, or at last. */
  openPage(options?: BrowserContextOptions): Promise<Page>;
  /** Opens the first page at an address of the console, as a member. */
  enter(path: string, name: string): Promise<void>;
  /** A button by its whole name. */
  button(name: string): Locator;
  dialog(): Locator;
  /** Expects that axe finds nothing, and takes pictures. */
  look(name: string): Promise<void>;
  close(): Promise<void>;
};

type Options = {
  readonly environment?: Readonly<Record<string, string>>;
  /** Of the first reader. */
  readonly reader?: BrowserContextOptions;
};

const SLOWEST_MS = 20_000;

/** Opens one browser for a file of tests. The members have the password `PASSWORD`; nobody is signed in. */
export async function openWatchedConsole(
  members: Readonly<Record<string, 'manager' | 'member'>>,
  { environment = {}, reader = {} }: Options = {},
): Promise<WatchedConsole> {
  const site = await openTestConsole(environment);
  const { service } = site;
  const [browser] = await Promise.all([
    openBrowser(),
    ...Object.entries(members).map(([name, role]) => addMember(service, name, role)),
  ]);
  const faults: string[] = [];
  const told: string[] = [];
  const openPage = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({
      locale: 'en-GB',
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    context.setDefaultTimeout(SLOWEST_MS);
    await watchPages(context, new URL(site.url).origin, faults);
    const opened = await context.newPage();
    opened.on('request', (request) => told.push(`address: ${request.url()}`));
    opened.on('framenavigated', (frame) => told.push(`address: ${frame.url()}`));
    opened.on('console', (message) => told.push(`console: ${message.text()}`));
    return opened;
  };
  const page = await openPage(reader);
  return {
    ...{ site, service, browser, context: page.context(), page, faults, openPage },
    async enter(path, name) {
      await page.goto(site.url + path);
      await signInAs(page, service, name);
    },
    button: (name) => page.getByRole('button', { name, exact: true }),
    dialog: () => page.getByRole('dialog'),
    async look(name) {
      const barriers = await findBarriers(page);
      if (barriers.length > 0) throw new Error(`axe finds in ${name}: ${barriers.join('; ')}`);
      await takePictures(page, name);
    },
    async findLeaks(secrets) {
      const { cookies, origins } = await page.context().storageState();
      const session = await page.evaluate<string>('JSON.stringify(sessionStorage)');
      // What only the browser sends is no secret from it, but every script can read the rest.
      const readable = cookies.filter(({ httpOnly }) => !httpOnly);
      const places = [
        ...told,
        ...service.reports.map((line) => `report: ${line}`),
        ...[...origins, ...readable].map((one) => `kept: ${JSON.stringify(one)}`),
        `kept: ${session}`,
      ];
      return places.filter((place) =>
        secrets.some((secret) => place.includes(secret) || place.includes(encodeURIComponent(secret))),
      );
    },
    async close() {
      await browser.close();
      await site.close();
    },
  };
}
