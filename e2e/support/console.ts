import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { WantedAccess } from '@answer-evidence/contracts';
import { builtVariable, programsVariable } from '@answer-evidence/testing';
import { REPOSITORY } from '../../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../../tools/scenery/test-service.ts';

/** The password of every member here. */
export const PASSWORD = 'a password of the console';

/** A service with the built console, and who may sign in to it. */
export type TestConsole = {
  readonly service: TestService;
  readonly url: string;
  /** The folder of the built files. */
  readonly files: string;
  close(): Promise<void>;
};

/** Starts a service that serves the console as it is now. */
export async function openTestConsole(environment: Readonly<Record<string, string>> = {}): Promise<TestConsole> {
  const files = await builtConsole();
  const service = await openTestService({ environment: { SERVICE_CONSOLE_DIR: files, ...environment } });
  return { service, url: `${service.baseUrl}/console/`, files, close: () => service.close() };
}

/** The folder of the built console; the first of a run who needs it makes it. */
export async function builtConsole(): Promise<string> {
  const app = join(REPOSITORY, 'apps/console');
  const { [builtVariable]: isBuilt, [programsVariable]: folder = '' } = process.env;
  if (isBuilt !== undefined) return join(app, 'dist');
  const files = join(folder, 'console');
  if (existsSync(files)) return files;
  const draft = `${files}.${process.pid}`;
  await promisify(execFile)(
    process.execPath,
    [join(REPOSITORY, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', draft, '--logLevel', 'warn'],
    { cwd: app, env: { ...process.env, NODE_ENV: 'production' } },
  );
  try {
    await rename(draft, files);
  } catch (error) {
    // Another worker was faster.
    if (!existsSync(files)) throw error;
    await rm(draft, { recursive: true });
  }
  return files;
}

/** Ends every session of a member, as the member can from any browser. */
export async function endSessions(service: TestService, name: string): Promise<void> {
  const body = { workspace: service.workspace, name, password: PASSWORD };
  const opened = await service.call('POST', '/console/session', { token: null, body });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const headers = { cookie, 'x-csrf-token': opened.body.csrf_token as string };
  await service.call('DELETE', '/console/sessions', { token: null, headers });
}

/** A member who may sign in to the console with its password. */
export async function addMember(
  service: TestService,
  name: string,
  may: 'manager' | 'member' | { readonly access: WantedAccess },
): Promise<void> {
  const given = typeof may === 'string' ? { role: may } : may;
  const made = await service.call('POST', '/api/members', { body: { username: name, ...given } });
  const secret = made.body.password_link.secret as string;
  await service.call('POST', '/api/auth/password', { token: null, body: { secret, password: PASSWORD } });
}

/** Fills in the form of the page. */
export async function signInAs(
  page: Page,
  { workspace }: Pick<TestService, 'workspace'>,
  name: string,
  password = PASSWORD,
): Promise<void> {
  await page.getByRole('textbox', { name: 'Workspace' }).fill(workspace);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/**
 * Notes what goes wrong in the pages of a context: faults of scripts, breaches of the policy, requests to other hosts.
 * Returns where it does.
 */
export async function watchPages(
  context: BrowserContext,
  origin: string,
  faults: string[] = [],
): Promise<readonly string[]> {
  await context.exposeBinding('reportBreach', (_, text: string) => void faults.push(text));
  await context.addInitScript(
    'document.addEventListener("securitypolicyviolation", (event) => reportBreach("policy: " + event.violatedDirective + ' +
      '" " + event.blockedURI + " " + event.sample + " " + event.sourceFile + ":" + event.lineNumber))',
  );
  context.on('page', (page) => {
    page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
    page.on('dialog', (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      const { origin: asked, protocol } = new URL(request.url());
      if (asked !== origin && protocol !== 'data:' && protocol !== 'blob:') faults.push(`request to ${asked}`);
    });
  });
  return faults;
}

const AXE = await readFile(join(REPOSITORY, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** What axe finds against WCAG 2.2 AA on a page as it is now: each rule with the elements that break it. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  // Through the debugger, which the policy of the page does not bind; once for each document.
  if (await page.evaluate<boolean>('globalThis.axe === undefined')) await page.evaluate(AXE);
  return page.evaluate<string[]>(
    // Only what fails is described, and no rule of these reads style sheets.
    'axe.run({ resultTypes: ["violations"], preload: { assets: ["media"] }, ' +
      'runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then(({ violations }) => ' +
      'violations.flatMap((rule) => rule.nodes.map((node) => rule.id + ": " + node.target.join(" ") + " " + node.failureSummary)))',
  );
}

/** Writes pictures of a page, light and dark, wide and narrow, to `CONSOLE_PICTURES`; nothing where that is unset. */
export async function takePictures(page: Page, name: string): Promise<void> {
  const folder = process.env['CONSOLE_PICTURES'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [size, width] of [
      ['wide', 1280],
      ['narrow', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${size}.png`), fullPage: true });
    }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** The list of all checks, once they are done. It is folded away where none of them fails, and opened here. */
export async function openChecks(page: Page): Promise<Locator> {
  const summary = page.locator('summary', { hasText: /^All \d+ checks/ });
  await summary.waitFor();
  await summary.locator('xpath=..').evaluate((details) => details.setAttribute('open', ''));
  const table = page.getByRole('table', { name: 'Verification in this browser' });
  await table.waitFor();
  return table;
}
