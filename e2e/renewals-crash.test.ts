import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { AnchorItem } from '@answer-evidence/contracts';
import { openTestAuthority, openTestDatabase, type TestAuthority, type TestDatabase } from '@answer-evidence/testing';
import { readToken, type ServiceProcess, startProcess, until } from '../tools/scenery/service-process.ts';
import { answer } from '../tools/scenery/test-service.ts';
import { EAGER_POLICY } from './support/attested-log.ts';
import { openGate } from './support/gate.ts';

const DEADLINE_MS = 180_000;

let dataDir: string;
let database: TestDatabase;
let ending: TestAuthority;
let lasting: TestAuthority;
let gate: Awaited<ReturnType<typeof openGate>>;
const processes: ServiceProcess[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-renewals-'));
  database = await openTestDatabase();
  ending = await openTestAuthority({ days: 2 });
  lasting = await openTestAuthority();
  gate = await openGate(lasting.url);
}, DEADLINE_MS);

afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  await Promise.all([gate.close(), ending.close(), lasting.close()]);
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
}, DEADLINE_MS);

/** Starts a process on the one database, and returns what calls it. */
async function start() {
  const process = startProcess({
    dataDir,
    environment: { DATABASE_URL: database.url, SERVICE_OUTBOUND_ALLOW: '127.0.0.1:*', SERVICE_RATE_LIMITS: 'off' },
  });
  processes.push(process);
  const baseUrl = await process.ready;
  const token = await readToken(dataDir);
  async function call(method: string, path: string, body?: object): Promise<any> {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect([path, response.status < 300]).toEqual([path, true]);
    return response.json();
  }
  return {
    call,
    anchors: async (): Promise<readonly AnchorItem[]> => (await call('GET', '/api/trust/anchors')).items,
    async kill() {
      process.kill('SIGKILL');
      await process.exited;
      processes.splice(processes.indexOf(process), 1);
    },
  };
}

type Running = Awaited<ReturnType<typeof start>>;

const renewalsOf = async ({ anchors }: Running) =>
  (await anchors()).filter(({ anchor_id: id }) => id.includes('.renewal-'));

/** Lets everything through but renewals, and returns the one that `b` is asked for. */
async function findRenewal({ anchors }: Running): Promise<AnchorItem | undefined> {
  const items = await anchors();
  gate.open(items.filter(({ anchor_id: id }) => !id.includes('.')).map(({ digest }) => digest));
  return items.find(({ anchor_id: id }) => id.startsWith('b.renewal-'));
}

function anchor(id: string, url: string, { rootPem }: TestAuthority): object {
  return { id, type: 'rfc3161', url, certificate_pem: rootPem, required: false };
}

it(
  'a renewal whose process is killed while it waits is asked for again, and two processes at once make one token',
  async () => {
    const one = await start();
    const { id } = await one.call('POST', '/api/answer-audit-logs', answer('How long is the warranty?', 'Two years.'));
    const anchors = [anchor('a', ending.url, ending)];
    await one.call('PUT', '/api/trust/policy', { ...EAGER_POLICY, anchors, anchors_required: 1 });
    await one.call('POST', '/api/trust/anchors/run', {});
    await until('a renewal by nobody', async () => (await renewalsOf(one)).length === 1, DEADLINE_MS / 3);
    const both = [...anchors, anchor('b', gate.url, lasting)];
    await one.call('PUT', '/api/trust/policy', { ...EAGER_POLICY, anchors: both, anchors_required: 1 });
    await one.call('POST', '/api/trust/anchors/run', {});
    // The authority has it, and the service will never hear of the response.
    let begun: AnchorItem | undefined;
    await until(
      'a renewal that waits',
      async () => {
        begun = await findRenewal(one);
        return begun !== undefined && gate.countOf(begun.digest) === 1;
      },
      DEADLINE_MS / 3,
    );
    await one.kill();
    const { id: begunId, digest } = begun as unknown as AnchorItem;
    expect(gate.countOf(digest)).toBe(1);

    const [two, three] = await Promise.all([start(), start()]);
    await Promise.all([two, three].map(({ call }) => call('POST', '/api/trust/anchors/run', {})));
    const isAsked = async () => (await findRenewal(two)) !== undefined && gate.countOf(digest) === 2;
    await until('the same request', isAsked, DEADLINE_MS / 3);
    // The other process may ask as well as long as this one waits, and does not.
    await Promise.all([two, three].map(({ call }) => call('POST', '/api/trust/anchors/run', {})));
    gate.open([digest]);
    const stateOf = async () => (await renewalsOf(three)).find((item) => item.id === begunId);
    await until('a renewal', async () => (await stateOf())?.state === 'confirmed', DEADLINE_MS / 3);
    // What was asked for meanwhile has been done once a later record is anchored.
    const size = Math.max(...(await three.anchors()).map((item) => item.tree_size));
    await three.call('POST', '/api/answer-audit-logs', answer('And of the battery?', 'One year.'));
    await three.call('POST', '/api/trust/anchors/run', {});
    const isLater = async () => {
      await findRenewal(three);
      return (await three.anchors()).some((item) => item.tree_size > size && item.state === 'confirmed');
    };
    await until('a later anchor', isLater, DEADLINE_MS / 3);
    expect(gate.countOf(digest)).toBe(2);
    const renewals = await renewalsOf(three);
    expect(renewals.filter(({ state }) => state === 'confirmed').map((item) => item.id)).toEqual([begunId]);
    expect((await stateOf())?.attempts.map(({ outcome }) => outcome)).toEqual(['confirmed']);
    const bundle = await three.call('GET', `/api/trust/proofs/answers/${id}`);
    expect(bundle.renewals.map(({ anchor_id: name }: { anchor_id: string }) => name)).toEqual(['b']);
    const { checks } = await three.call('GET', `/api/answer-audit-logs/${id}/ledger/verify`);
    expect(checks.find(({ check }: { check: string }) => check === 'external_anchor')).toMatchObject({
      outcome: 'PASS',
      detail: expect.stringContaining('renewed by b at '),
    });
  },
  DEADLINE_MS,
);
