import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ServiceProcess, startProcess } from '../tools/scenery/service-process.ts';
import { openReadyData } from './support/ready-data.ts';

const DAY_MS = 86_400_000;
const PRELOAD = fileURLToPath(new URL('../tools/scenery/shifted-clock.mjs', import.meta.url));

let dataDir: string;
let shiftFile: string;
let running: ServiceProcess | undefined;
let baseUrl = '';

beforeEach(async () => {
  dataDir = await openReadyData('clock');
  shiftFile = join(dataDir, 'shift');
});
afterEach(async () => {
  await running?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function shift(days: number): Promise<void> {
  await writeFile(shiftFile, String(days * DAY_MS));
}

async function start(): Promise<void> {
  const environment = { NODE_OPTIONS: `--import=${PRELOAD}`, SHIFTED_CLOCK_FILE: shiftFile };
  running = startProcess({ dataDir, environment });
  baseUrl = await running.ready;
}

async function stop(): Promise<void> {
  await running?.stop();
  running = undefined;
}

/** Waits until it holds; the limit of the test ends it otherwise. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(100);
}

async function call(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const config = await readFile(join(dataDir, 'config.yaml'), 'utf8');
  const token = /^ +token: "?([^"\s]+)"?$/m.exec(config)?.[1] ?? '';
  const response = await fetch(new URL(path, baseUrl), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

function create(key: string) {
  return call('POST', '/api/answer-audit-logs', {
    application_key: 'support-bot',
    idempotency_key: key,
    question: { text: 'How long?' },
    answer: { text: 'Two weeks.' },
  });
}

const keptMs = (record: any) => Date.parse(record.retention_until) - Date.parse(record.created_at);

describe('a service whose clock is 400 days off', () => {
  it('loses no text, keeps what it records as long as ever, and goes on by itself when the clock is right', async () => {
    await shift(0);
    await start();
    const first = await create('first');
    expect([first.status, keptMs(first.body)]).toEqual([201, 365 * DAY_MS]);
    await stop();

    await shift(400);
    await start();
    // The sweeps have run once when the process stops.
    await until(() => running?.stderr.some((line) => line.includes('minutes ahead')) ?? false);
    await stop();

    await shift(0);
    await start();
    const path = `/api/answer-audit-logs/${first.body.id}`;
    expect((await call('GET', path)).body.answer).toMatchObject({ text: 'Two weeks.', text_state: 'stored' });
    expect((await create('second')).status).toBe(201);

    await shift(-400);
    // A key of its own each time: what was taken before the step was noticed would replay for ever.
    let tries = 0;
    await until(async () => (await create(`try ${tries++}`)).status === 503);
    expect((await create('third')).body).toMatchObject({ code: 'clock_behind' });
    expect(await create('first')).toMatchObject({ status: 201, body: { id: first.body.id } });
    await shift(0);
    await until(async () => (await create('third')).status === 201);
    const third = (await create('third')).body;
    expect(keptMs(third)).toBe(365 * DAY_MS);
    expect((await call('GET', path)).body.answer.text_state).toBe('stored');
  }, 120_000);
});
