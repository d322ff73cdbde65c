import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium, type Page } from 'playwright-core';
import * as z from 'zod';
import { buildConsole } from '../../console/build-console.ts';
import { closingAll } from '../closing-all.ts';
import { medianOf } from '../figures.ts';
import { type BenchService, openService } from '../service/open-service.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const RECORDS = 100_000;
const PER_REQUEST = 500;
const TRIES = 5;
const DEEP_PAGES = 40;
const PASSWORD = 'a password of the bench';
const TARGET_MS = 1000;
const TARGET_BYTES = 300_000;

const madeMember = z.object({ password_link: z.object({ secret: z.string() }) });

/** What the console loads and how long the table of 100,000 records takes in Chromium; a table. */
export async function measureConsole(progress: (line: string) => void): Promise<string> {
  return closingAll(async (opened) => {
    const outcome = await buildConsole(ROOT, { isIfNeeded: true, report: progress });
    if (outcome === 'failed' || outcome === 'absent') throw new Error(`the console cannot be built: ${outcome}`);
    const files = join(ROOT, 'apps/console/dist');
    const service = await openService({ SERVICE_CONSOLE_DIR: files });
    opened.push(() => service.close());
    progress(`${RECORDS} records over the API`);
    await fill(service);
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
    });
    opened.push(() => browser.close());
    const sizes = await readSizes(files);
    const first: number[] = [];
    let loaded: readonly string[] = [];
    for (let n = 0; n < TRIES; n++) {
      // A context of its own has nothing in its cache.
      const context = await browser.newContext({ locale: 'en-GB' });
      await signIn(service, await context.newPage());
      const page = await context.newPage();
      const asked: string[] = [];
      page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
      const start = performance.now();
      await page.goto(`${service.baseUrl}/console/records`);
      await page.locator('tbody tr').nth(49).waitFor();
      first.push(performance.now() - start);
      loaded = asked;
      await context.close();
    }
    progress('paging');
    const paged = await timePaging(service, await browser.newPage({ locale: 'en-GB' }));
    const bytes = loaded.reduce((sum, path) => sum + (sizes.get(path.replace(/^\/console\//, '')) ?? 0), 0);
    return [
      `initial load: ${(bytes / 1000).toFixed(1)} KB compressed (target ${TARGET_BYTES / 1000} KB), ${loaded.length} requests`,
      `first table of ${RECORDS} records, nothing cached: ${describe(first)} (target ${TARGET_MS} ms)`,
      `next page, the first ten: ${describe(paged.slice(0, 10))}`,
      `next page, the last ten of ${DEEP_PAGES}: ${describe(paged.slice(-10))}`,
    ].join('\n');
  });
}

const describe = (taken: readonly number[]) =>
  `median ${medianOf([...taken]).toFixed(0)} ms, worst ${Math.max(...taken).toFixed(0)} ms`;

async function send(service: BenchService, path: string, body: unknown, token?: string): Promise<unknown> {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? undefined : response.json();
}

async function fill(service: BenchService): Promise<void> {
  for (let from = 0; from < RECORDS; from += PER_REQUEST) {
    const records = Array.from({ length: PER_REQUEST }, (_, n) => ({
      application_key: 'support-bot',
      idempotency_key: `record-${from + n}`,
      external_message_id: `message-${from + n}`,
      mode: n % 3 === 0 ? 'test' : 'live',
      question: { text: `question ${from + n}` },
      answer: { text: `answer ${from + n}` },
    }));
    await send(service, '/api/answer-audit-logs/batch', { records }, service.managerToken);
  }
  const member = { username: 'rita', role: 'manager' };
  const { password_link: link } = madeMember.parse(await send(service, '/api/members', member, service.managerToken));
  await send(service, '/api/auth/password', { secret: link.secret, password: PASSWORD });
}

async function signIn(service: BenchService, page: Page): Promise<void> {
  const credentials = { workspace: 'demo', name: 'rita', password: PASSWORD };
  const reply = await page.context().request.post(`${service.baseUrl}/console/session`, { data: credentials });
  if (!reply.ok()) throw new Error(`no session: ${reply.status()} ${await reply.text()}`);
}

/** How long each page takes after the one before, from the click to its rows. */
async function timePaging(service: BenchService, page: Page): Promise<readonly number[]> {
  await signIn(service, page);
  await page.goto(`${service.baseUrl}/console/records`);
  await page.locator('tbody tr').nth(49).waitFor();
  const taken: number[] = [];
  for (let n = 0; n < DEEP_PAGES; n++) {
    const last = (await page.locator('tbody tr').last().innerText()).split('\n');
    const message = last.find((text) => text.includes('message-'))?.match(/message-\d+/)?.[0] ?? '';
    const start = performance.now();
    await page.getByRole('button', { name: 'Next page' }).click();
    // The row is unique: once it is gone, the rows of the next page are there.
    await page.locator('tbody').getByText(message, { exact: true }).waitFor({ state: 'detached' });
    taken.push(performance.now() - start);
  }
  return taken;
}

/** Each built file with its size as gzip. */
async function readSizes(files: string): Promise<ReadonlyMap<string, number>> {
  const all = await readdir(files, { recursive: true, withFileTypes: true });
  return new Map(
    await Promise.all(
      all
        .filter((one) => one.isFile())
        .map(async ({ parentPath, name }) => {
          const path = join(parentPath, name);
          return [path.slice(files.length + 1), gzipSync(await readFile(path)).length] as const;
        }),
    ),
  );
}
