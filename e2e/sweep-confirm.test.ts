import { rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { readToken, runOperatorCommand, type ServiceProcess, startProcess } from '../tools/scenery/service-process.ts';
import { openReadyData } from './support/ready-data.ts';

/** More than a sweep takes at once. */
const RECORDS = 120;
const DUE_AFTER_MS = 20_000;

let dataDir: string;
let service: ServiceProcess;
let baseUrl: string;
let token: string;

beforeEach(async () => {
  dataDir = await openReadyData('sweep');
  service = startProcess({ dataDir });
  baseUrl = await service.ready;
  token = await readToken(dataDir);
});
afterEach(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function call(path: string, body?: object): Promise<Response> {
  return fetch(new URL(path, baseUrl), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Waits until it holds; the limit of the test ends it otherwise. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(200);
}

async function textStateOf(id: string): Promise<string> {
  const record = (await (await call(`/api/answer-audit-logs/${id}`)).json()) as { answer: { text_state: string } };
  return record.answer.text_state;
}

it('a sweep that is held back goes on by npm run operator -- sweep-confirm, which is an entry of the log', async () => {
  const retention_until = new Date(Date.now() + DUE_AFTER_MS).toISOString();
  const ids: string[] = [];
  for (let n = 0; n < RECORDS; n += 20)
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const texts = { question: { text: 'How long?' }, answer: { text: 'Two weeks.' } };
        const reply = await call('/api/answer-audit-logs', {
          application_key: 'support-bot',
          retention_until,
          ...texts,
        });
        expect(reply.status).toBe(201);
        ids.push(((await reply.json()) as { id: string }).id);
      }),
    );
  await until(() => service.stderr.some((line) => line.includes(`${RECORDS} of ${RECORDS} would be erased at once`)));
  const [first = ''] = ids;
  expect(await textStateOf(first)).toBe('stored');

  const confirmed = await runOperatorCommand(['sweep-confirm'], { dataDir });
  expect(confirmed).toMatchObject({ code: 0, stderr: '' });
  expect(confirmed.stdout).toMatch(/^demo: 120 of 120 texts and 0 of 0 assets may be erased\nthe time is 2/);
  for (const id of ids) await until(async () => (await textStateOf(id)) === 'expired');

  const again = await runOperatorCommand(['sweep-confirm', '--workspace', 'demo'], { dataDir });
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(again.stdout).toMatch(/^demo: nothing is due, so there is nothing to confirm\nthe time is 2/);
  const unknown = await runOperatorCommand(['sweep-confirm', '--workspace', 'none'], { dataDir });
  expect(unknown).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('there is no workspace "none"'),
  });

  const entries = await (await call('/tlog/demo/tile/entries/000.p/200')).text();
  expect(entries.match(/"type":"sweep_confirmed"/g)).toHaveLength(1);
  expect(await runOperatorCommand(['ledger-check'], { dataDir })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^demo: PASS/),
  });
}, 240_000);
