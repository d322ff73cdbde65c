import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { openTestService, type TestService } from './test-service.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
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

/** Builds the console as it is now, and starts a service that serves it. */
export async function openTestConsole(): Promise<TestConsole> {
  const files = await mkdtemp(join(tmpdir(), 'console-'));
  await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', files, '--emptyOutDir', '--logLevel', 'warn'],
    { cwd: join(ROOT, 'apps/console'), env: { ...process.env, NODE_ENV: 'production' } },
  );
  const service = await openTestService({ environment: { SERVICE_CONSOLE_DIR: files } });
  return {
    service,
    url: `${service.baseUrl}/console/`,
    files,
    async close() {
      await service.close();
      await rm(files, { recursive: true, force: true });
    },
  };
}

/** Ends every session of a member, as the member can from any browser. */
export async function endSessions(service: TestService, name: string): Promise<void> {
  const body = { workspace: 'demo', name, password: PASSWORD };
  const opened = await service.call('POST', '/console/session', { token: null, body });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const headers = { cookie, 'x-csrf-token': opened.body.csrf_token as string };
  await service.call('DELETE', '/console/sessions', { token: null, headers });
}

/** A member who may sign in to the console with its password. */
export async function addMember(service: TestService, name: string, role: 'manager' | 'member'): Promise<void> {
  const made = await service.call('POST', '/api/members', { body: { username: name, role } });
  const secret = made.body.password_link.secret as string;
  await service.call('POST', '/api/auth/password', { token: null, body: { secret, password: PASSWORD } });
}

/** Fills in the form of the page. */
export async function signInAs(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Workspace' }).fill('demo');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** What went wrong in the pages of a context: faults of scripts, breaches of the policy, requests to other hosts. */
export async function watchPages(context: BrowserContext, origin: string): Promise<readonly string[]> {
  const faults: string[] = [];
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

const AXE = await readFile(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** What axe finds against WCAG 2.2 AA on a page as it is now: each rule with the elements that break it. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  // Through the debugger, which the policy of the page does not bind.
  await page.evaluate(AXE);
  return page.evaluate<string[]>(
    'axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then(({ violations }) => ' +
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
