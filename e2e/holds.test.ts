import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  readToken,
  runApp,
  runOperatorCommand,
  type ServiceProcess,
  startProcess,
  until,
} from '../tools/scenery/service-process.ts';
import { openReadyData } from './support/ready-data.ts';

/** Longer than anything here is kept, and shorter than the life of the token. */
const DAYS = 60;
const KEPT_DAYS = 10;
const DAY_MS = 86_400_000;
const MINUTES_MS = 60_000;
const PRELOAD = fileURLToPath(new URL('../tools/scenery/shifted-clock.mjs', import.meta.url));
const RECORDS = '/api/answer-audit-logs';

let dataDir: string;
let environment: Readonly<Record<string, string>>;
let service: ServiceProcess;
let baseUrl: string;

beforeEach(async () => {
  dataDir = await openReadyData('holds');
  environment = { NODE_OPTIONS: `--import=${PRELOAD}`, SHIFTED_CLOCK_FILE: join(dataDir, 'shift') };
  await shift(0);
  await start();
});
afterEach(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function shift(days: number): Promise<void> {
  await writeFile(join(dataDir, 'shift'), String(days * DAY_MS));
}

async function start(): Promise<void> {
  service = startProcess({ dataDir, environment });
  baseUrl = await service.ready;
}

async function killAndStart(): Promise<void> {
  service.kill('SIGKILL');
  await service.exited;
  await start();
}

async function call(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const token = await readToken(dataDir);
  const response = await fetch(new URL(path, baseUrl), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function record(name: string, used: object = {}): Promise<string> {
  const texts = { question: { text: 'How long?' }, answer: { text: 'Two weeks.' } };
  const reply = await call('POST', RECORDS, { application_key: 'support-bot', environment: name, ...texts, ...used });
  expect(reply).toMatchObject({ status: 201 });
  return reply.body.id;
}

const textStateOf = async (id: string) => (await call('GET', `${RECORDS}/${id}`)).body.answer.text_state;

it(
  'what is on hold outlives kill -9, a sweep 60 days later and a redaction; once released, it goes',
  async () => {
    const settings = { answer_audit_default_retention_days: KEPT_DAYS };
    expect(await call('PATCH', '/api/tenant/settings', settings)).toMatchObject({ status: 200 });
    const asset = await call('POST', '/api/evidence-assets', { application_key: 'support-bot', segments: ['14 days'] });
    const assetPath = `/api/evidence-assets/${asset.body.id}`;
    const used = (await call('POST', `${assetPath}/retrieve`, {})).body;
    const binding = { evidence_access_event_ids: [used.access_event_id], source_refs: [used.source_ref] };
    const ids = { held: await record('held', binding), free: await record('free') };
    const placed = await call('POST', '/api/holds', {
      matter: 'Case 7',
      reason: 'A claim was announced',
      filters: { environment: 'held' },
    });
    expect(placed).toMatchObject({ status: 201, body: { records: { count: 1, relation: 'eq' } } });
    await killAndStart();
    const late = await record('held');

    await shift(DAYS);
    await killAndStart();
    // The clock is not believed until an operator says that it is right.
    await until('the sweep waits', () => service.stderr.some((line) => line.includes('minutes ahead')));
    expect(await runApp('operator', ['sweep-confirm'], { dataDir, environment })).toMatchObject({ code: 0 });
    await until('the free record expires', async () => (await textStateOf(ids.free)) === 'expired', 2 * MINUTES_MS);
    const forecast = await call('GET', '/api/tenant/retention-forecast');
    expect(forecast.body).toMatchObject({ overdue: { texts: 0 }, on_hold: { texts: 2, relation: 'eq' } });
    expect([await textStateOf(ids.held), await textStateOf(late)]).toEqual(['stored', 'stored']);
    expect((await call('GET', assetPath)).body.state).toBe('available');
    const refused = await call('POST', `${RECORDS}/${ids.held}/events`, { event_type: 'redacted' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'record_on_hold' } });
    expect(refused.body.detail).toContain('“Case 7”');

    const path = `/api/holds/${placed.body.id}`;
    expect(await call('POST', `${path}/release`, { reason: 'The claim was withdrawn' })).toMatchObject({ status: 200 });
    expect(await call('POST', `${RECORDS}/${late}/events`, { event_type: 'redacted' })).toMatchObject({ status: 200 });
    await killAndStart();
    await until('the held record expires', async () => (await textStateOf(ids.held)) === 'expired', 2 * MINUTES_MS);
    await until(
      'its evidence expires',
      async () => (await call('GET', assetPath)).body.state === 'expired',
      2 * MINUTES_MS,
    );
    await service.stop();
    expect(await runOperatorCommand(['ledger-check'], { dataDir, environment })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^demo: PASS/),
    });
  },
  9 * MINUTES_MS,
);
