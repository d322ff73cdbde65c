import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import pg from 'pg';
import { readToken, type ServiceProcess, startProcess, until } from '../tools/scenery/service-process.ts';
import type { TestService } from '../tools/scenery/test-service.ts';
import { type ProvokedIn, typesProvokedIn } from './support/provoked-types.ts';
import { openReadyData } from './support/ready-data.ts';
import { type About, openToldTarget, type ToldTarget } from './support/told-target.ts';

const DAY_MS = 86_400_000;
const PRELOAD = fileURLToPath(new URL('../tools/scenery/shifted-clock.mjs', import.meta.url));
const DEADLINE_MS = 240_000;

type Type = ProvokedIn<'notifications-of-clocks'>;

let dataDir: string;
let running: ServiceProcess;
let target: ToldTarget;

const shift = (days: number): Promise<void> => writeFile(join(dataDir, 'shift'), String(days * DAY_MS));

beforeAll(async () => {
  dataDir = await openReadyData('told-clocks');
  await shift(0);
  running = startProcess({
    dataDir,
    environment: {
      NODE_OPTIONS: `--import=${PRELOAD}`,
      SHIFTED_CLOCK_FILE: join(dataDir, 'shift'),
      SERVICE_OUTBOUND_ALLOW: '127.0.0.1:*',
    },
  });
  const baseUrl = await running.ready;
  const token = await readToken(dataDir);
  const call: TestService['call'] = async (method, path, { body } = {}) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  };
  target = await openToldTarget({ call });
});
/** Whether something was told, by the database: no token is valid at a time that is far ahead. */
async function isTold(type: Type, name: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: (await readFile(join(dataDir, 'postgres.url'), 'utf8')).trim() });
  await client.connect();
  try {
    const { rows } = await client.query<{ content_json: string }>(
      'select content_json from answer_evidence.notifications where type = $1',
      [type],
    );
    return rows.some(({ content_json: content }) => JSON.parse(content).about.name === name);
  } finally {
    await client.end();
  }
}

afterAll(async () => {
  await running.stop();
  await target.close();
  await rm(dataDir, { recursive: true, force: true });
});

describe.each([
  ['behind', -400],
  ['ahead', 400],
])('of a clock that is 400 days %s, once it is right, a target has been told once and verifiably', (name, days) => {
  const about: Partial<Record<Type, About>> = {};
  /** Has each type told, one after the other. */
  const PROVOCATIONS: Readonly<Record<Type, () => Promise<About>>> = {
    'clock.not_believed': async () => {
      await shift(days);
      // The receiver knows the time and refuses what is signed at another one, so it waits.
      await until('the notification', () => isTold('clock.not_believed', name));
      return { name, severity: 'high' };
    },
    'clock.believed': async () => {
      await shift(0);
      return { name };
    },
  };
  beforeAll(async () => {
    for (const type of typesProvokedIn('notifications-of-clocks')) about[type] = await PROVOCATIONS[type]();
  }, DEADLINE_MS);

  it.each(typesProvokedIn('notifications-of-clocks'))(
    '%s',
    async (type) => {
      await target.expectOnce(type, about[type] ?? {});
    },
    DEADLINE_MS,
  );
});
