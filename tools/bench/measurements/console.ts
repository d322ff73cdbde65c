import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import * as z from 'zod';
import { buildConsole } from '../../console/build-console.ts';
import { closingAll } from '../closing-all.ts';
import { medianOf } from '../figures.ts';
import { fillRecords } from '../reconciliation/open-scratch.ts';
import { type BenchService, openService } from '../service/open-service.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The whole program, as people have it, before its part without windows. */
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'] as const;
const RECORDS = 100_000;
const MORE_RECORDS = 1_000_000;
const PER_REQUEST = 500;
const TRIES = 5;
const DEEP_PAGES = 40;
const PASSWORD = 'a password of the bench';
const TARGET_MS = 1000;
const TARGET_BYTES = 300_000;

const madeMember = z.object({ password_link: z.object({ secret: z.string() }) });

/** What the console loads, and how long its table takes in Chromium, at 100,000 records and at a million; a table. */
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
      executablePath: CHROMIUM.find((path) => existsSync(path)) ?? CHROMIUM[0],
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
    });
    opened.push(() => browser.close());
    const reader: Reader = { service, browser, session: await signIn(service, browser) };
    const { first, loaded } = await timeFirst(reader);
    progress('paging');
    const paged = await timePaging(reader);
    progress(`${MORE_RECORDS} records, those beyond by SQL`);
    await fillMore(service);
    const { first: more } = await timeFirst(reader);
    const morePaged = await timePaging(reader);
    const found = await timeSearch(reader);
    const sizes = await readSizes(files);
    const bytes = loaded.reduce((sum, path) => sum + (sizes.get(path.replace(/^\/console\//, '')) ?? 0), 0);
    return [
      `initial load: ${(bytes / 1000).toFixed(1)} KB compressed (target ${TARGET_BYTES / 1000} KB), ${loaded.length} requests`,
      `first table of ${RECORDS} records, nothing cached: ${describe(first)} (target ${TARGET_MS} ms)`,
      ...describePaging(paged),
      `first table of ${MORE_RECORDS} records, nothing cached: ${describe(more)} (target ${TARGET_MS} ms)`,
      ...describePaging(morePaged),
      `one of ${MORE_RECORDS} records by its message id: ${describe(found)}`,
    ].join('\n');
  });
}

const describePaging = (paged: readonly number[]) => [
  `  next page, the first ten: ${describe(paged.slice(0, 10))}`,
  `  next page, the last ten of ${DEEP_PAGES}: ${describe(paged.slice(-10))}`,
];

/** Who reads: every one of their contexts has an empty cache and the same session. */
type Reader = {
  readonly service: BenchService;
  readonly browser: Browser;
  readonly session: Awaited<ReturnType<BrowserContext['storageState']>>;
};

/** From the address to 50 rows, and the paths that were asked for on the way. */
async function timeFirst({ service, browser, session }: Reader) {
  const first: number[] = [];
  let loaded: readonly string[] = [];
  for (let n = 0; n < TRIES; n++) {
    const context = await browser.newContext({ locale: 'en-GB', storageState: session });
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
  return { first, loaded };
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

/** More records than the API makes in a short time. They are the newest; a session goes on. */
async function fillMore({ databaseUrl }: BenchService): Promise<void> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  owner.on('error', () => undefined);
  await owner.connect();
  try {
    await owner.query('set session_replication_role = replica');
    const { rows } = await owner.query<{ workspace_id: string; leaves: string }>(
      'select workspace_id, max(leaf_index) + 1 as leaves from answer_evidence.ledger_leaves group by 1',
    );
    const [{ workspace_id: workspaceId, leaves } = { workspace_id: '', leaves: '0' }] = rows;
    // The number of a record is its leaf, so that no name is used twice.
    await fillRecords(owner, workspaceId, 0, { from: Number(leaves), to: MORE_RECORDS });
  } finally {
    await owner.end();
  }
}

/** A session of the manager, which is an entry of the log: none is made after records came by SQL. */
async function signIn(service: BenchService, browser: Browser): Promise<Reader['session']> {
  const context = await browser.newContext();
  try {
    const credentials = { workspace: 'demo', name: 'rita', password: PASSWORD };
    const reply = await context.request.post(`${service.baseUrl}/console/session`, { data: credentials });
    if (!reply.ok()) throw new Error(`no session: ${reply.status()} ${await reply.text()}`);
    return await context.storageState();
  } finally {
    await context.close();
  }
}

async function openTable({ service, browser, session }: Reader): Promise<Page> {
  const page = await browser.newPage({ locale: 'en-GB', storageState: session });
  await page.goto(`${service.baseUrl}/console/records`);
  await page.locator('tbody tr').nth(49).waitFor();
  return page;
}

/** How long each page takes after the one before, from the click to its rows. */
async function timePaging(reader: Reader): Promise<readonly number[]> {
  const page = await openTable(reader);
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
  await page.close();
  return taken;
}

/** From the key that starts the search to the one row, for records all over the log. */
async function timeSearch(reader: Reader): Promise<readonly number[]> {
  const page = await openTable(reader);
  const taken: number[] = [];
  for (let n = 1; n <= TRIES; n++) {
    const message = `message-${Math.floor((n * MORE_RECORDS) / (TRIES + 1))}`;
    await page.getByLabel('Search for').fill(message);
    const start = performance.now();
    await page.keyboard.press('Enter');
    await page.locator('tbody').getByText(message, { exact: true }).waitFor();
    taken.push(performance.now() - start);
  }
  await page.close();
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
