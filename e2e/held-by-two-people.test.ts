import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { hasRedis, openTestDatabase, startTestRedis } from '@answer-evidence/testing';
import {
  readToken,
  runApp,
  runOperatorCommand,
  type ServiceProcess,
  startProcess,
  until,
} from '../tools/scenery/service-process.ts';
import { openSplitInstallation } from '../tools/scenery/split-installation.ts';
import { openSplitWorkspace } from '../tools/scenery/split-place.ts';
import { openReadyData } from './support/ready-data.ts';

const DAYS = 400;
const DAY_MS = 86_400_000;
const KEPT_DAYS = 10;
const MINUTES_MS = 60_000;
const PASSWORD = 'a password of the tests';
const PRELOAD = fileURLToPath(new URL('../tools/scenery/shifted-clock.mjs', import.meta.url));
const RECORDS = '/api/answer-audit-logs';

type Environment = Readonly<Record<string, string>>;
/** A running service whose clock is off by what a file says. */
type Form = {
  readonly workspace: string;
  readonly token: string;
  url(): string;
  /** Kills every process and starts it again. */
  restart(): Promise<void>;
  said(line: string): boolean;
  operate(command: string): ReturnType<typeof runOperatorCommand>;
  confirm(): ReturnType<typeof runApp>;
  close(): Promise<void>;
};

async function openOneProcess(environment: Environment): Promise<Form> {
  const dataDir = await openReadyData('held');
  let service: ServiceProcess = startProcess({ dataDir, environment });
  let url = await service.ready;
  return {
    workspace: 'demo',
    token: await readToken(dataDir),
    url: () => url,
    async restart() {
      service.kill('SIGKILL');
      await service.exited;
      service = startProcess({ dataDir, environment });
      url = await service.ready;
    },
    said: (line) => service.stderr.some((said) => said.includes(line)),
    async operate(command) {
      await service.stop();
      return runOperatorCommand([command], { dataDir, environment });
    },
    confirm: () => runApp('operator', ['sweep-confirm'], { dataDir, environment }),
    async close() {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function openSplitForm(environment: Environment): Promise<Form> {
  const [redis, database] = await Promise.all([startTestRedis(), openTestDatabase()]);
  const stores = { databaseUrl: database.url, redisUrl: redis.url, bucket: {} };
  const installation = await openSplitInstallation(stores, { environment });
  const { managerToken, dataDir, slug } = await openSplitWorkspace(installation);
  const of = { dataDir: installation.environment['SERVICE_DATA_DIR'] ?? '', environment: installation.environment };
  return {
    workspace: slug,
    token: managerToken,
    url: () => installation.url,
    async restart() {
      await Promise.all(
        installation.processes.map(async (process) => {
          process.current().kill('SIGKILL');
          await process.current().exited;
          await process.start();
        }),
      );
    },
    said: (line) => installation.processes.some((one) => one.current().stderr.some((said) => said.includes(line))),
    operate: (command) => runOperatorCommand([command], of),
    confirm: () => runApp('operator', ['sweep-confirm'], of),
    async close() {
      await installation.close();
      await Promise.all([redis.close(), database.close(), rm(dataDir, { recursive: true, force: true })]);
    },
  };
}

const FORMS = [
  ['in one process', openOneProcess],
  ...(hasRedis() ? [['in five processes', openSplitForm] as const] : []),
] as const;

describe.each(FORMS)('what is on hold, %s', (_, open) => {
  it(
    'survives a sweep 400 days later and a redaction by two people; after the release by two, both go',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-clock-'));
      const file = join(folder, 'shift');
      await writeFile(file, '0');
      const form = await open({ NODE_OPTIONS: `--import=${PRELOAD}`, SHIFTED_CLOCK_FILE: file });
      try {
        await keepAndLetGo(form, () => writeFile(file, String(DAYS * DAY_MS)));
      } finally {
        await form.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
    9 * MINUTES_MS,
  );
});

async function keepAndLetGo(form: Form, shift: () => Promise<void>): Promise<void> {
  async function call(as: string | null, method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(new URL(path, form.url()), {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(as === null ? {} : { Authorization: `Bearer ${as}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
  const signIn = async (username: string): Promise<string> =>
    (await call(null, 'POST', '/api/auth/login', { username, password: PASSWORD, workspace: form.workspace })).body
      .token;
  const addManager = async (username: string): Promise<void> => {
    const added = await call(form.token, 'POST', '/api/members', { username, role: 'manager' });
    const { secret } = added.body.password_link;
    const set = await call(null, 'POST', '/api/auth/password', { secret, password: PASSWORD });
    expect(set.status).toBeLessThan(300);
  };
  const record = async (environment: string, used: object = {}): Promise<string> => {
    const texts = { question: { text: 'How long?' }, answer: { text: 'Two weeks.' } };
    const body = { application_key: 'support-bot', environment, ...texts, ...used };
    return (await call(form.token, 'POST', RECORDS, body)).body.id;
  };

  await addManager('asks');
  await addManager('approves');
  const asset = (
    await call(form.token, 'POST', '/api/evidence-assets', { application_key: 'support-bot', segments: ['14 days'] })
  ).body;
  const assetPath = `/api/evidence-assets/${asset.id}`;
  const use = async () => {
    const used = (await call(form.token, 'POST', `${assetPath}/retrieve`, {})).body;
    return { evidence_access_event_ids: [used.access_event_id], source_refs: [used.source_ref] };
  };
  const settings = {
    answer_audit_default_retention_days: KEPT_DAYS,
    answer_audit_two_people: { acts: ['redaction', 'hold_release'], expires_within: 3_600 },
  };
  expect(await call(form.token, 'PATCH', '/api/tenant/settings', settings)).toMatchObject({ status: 200 });
  const bound = await use();
  const kept = await record('held', bound);
  const free = await record('free');
  const hold = { matter: 'Case 7', reason: 'A claim', filters: { environment: 'held' } };
  const placed = await call(form.token, 'POST', '/api/holds', hold);
  expect(placed).toMatchObject({ status: 201 });
  const late = await record('held');

  await shift();
  await form.restart();
  await until('the sweep waits', () => form.said('minutes ahead'));
  expect(await form.confirm()).toMatchObject({ code: 0 });
  // Every token of before has ended.
  const [asks, approves] = [await signIn('asks'), await signIn('approves')];
  const stateOf = async (id: string) => (await call(asks, 'GET', `${RECORDS}/${id}`)).body.answer.text_state;
  await until('the free record expires', async () => (await stateOf(free)) === 'expired', 2 * MINUTES_MS);
  expect([await stateOf(kept), await stateOf(late)]).toEqual(['stored', 'stored']);
  expect((await call(asks, 'GET', assetPath)).body.state).toBe('available');

  const [sourceRef] = bound.source_refs;
  const payload = { redact_source_ref_ids: [sourceRef.source_ref_id] };
  const redaction = { answer_log_id: kept, event_type: 'redacted', payload };
  const ask = (act: object) => call(asks, 'POST', '/api/approvals', { reason: 'It is due', ...act });
  const approve = (id: string) => call(approves, 'POST', `/api/approvals/${id}/approve`);
  const refused = await ask({ event: redaction });
  expect(refused).toMatchObject({ status: 409, body: { code: 'record_on_hold' } });
  expect(refused.body.detail).toContain('“Case 7”');
  expect(await stateOf(kept)).toBe('stored');

  // What was asked for before a hold is refused when it is approved.
  const release = await ask({ hold_release: { hold_id: placed.body.id, reason: 'The claim was withdrawn' } });
  expect(release).toMatchObject({ status: 201 });
  expect(await approve(release.body.id)).toMatchObject({ status: 200 });
  const asked = await ask({ event: redaction });
  expect(asked).toMatchObject({ status: 201 });
  const again = await call(asks, 'POST', '/api/holds', hold);
  expect(again).toMatchObject({ status: 201 });
  expect(await approve(asked.body.id)).toMatchObject({ status: 409, body: { code: 'approval_outdated' } });
  expect(await stateOf(kept)).toBe('stored');

  const end = await ask({ hold_release: { hold_id: again.body.id, reason: 'Settled' } });
  expect(await approve(end.body.id)).toMatchObject({ status: 200 });
  const pair = await ask({ event: redaction });
  expect(await approve(pair.body.id)).toMatchObject({ status: 200 });
  expect(await call(asks, 'GET', `${RECORDS}/${kept}`)).toMatchObject({ body: { status: 'redacted' } });
  expect((await call(asks, 'GET', assetPath)).body.state).toBe('redacted');
  await form.restart();
  await until('the other held record expires', async () => (await stateOf(late)) === 'expired', 2 * MINUTES_MS);
  const checked = await form.operate('ledger-check');
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining(`${form.workspace}: PASS`) });
}
