import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { findFreePort, openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { runOperatorCommand, startProcess, until } from '../tools/scenery/service-process.ts';
import { answer, openTestService } from '../tools/scenery/test-service.ts';

const MINUTES_MS = 60_000;

let dataDir: string;
let database: TestDatabase;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-damaged-'));
  database = await openTestDatabase();
  const service = startProcess({ dataDir, environment: { DATABASE_URL: database.url } });
  await service.ready;
  await service.stop();
  const config = ['--config', join(dataDir, 'acme.yaml')];
  await operate('workspace-create', ...['--slug', 'acme', '--name', 'Acme', '--manager', 'mia'], ...config);
}, MINUTES_MS);
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

function operate(...args: readonly string[]) {
  return runOperatorCommand(args, { dataDir, environment: { DATABASE_URL: database.url } });
}

/** As anyone who has the whole database in hands: without the triggers that refuse changes. */
async function alter(...sql: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    for (const statement of ['set session_replication_role = replica', ...sql]) await client.query(statement);
  } finally {
    await client.end();
  }
}

describe('npm run operator -- ledger-check on altered workspaces and keys', () => {
  it(
    'names the damaged one, and checks all others',
    async () => {
      const sound = 'demo: PASS, 4 of 4 entries re-derived';
      const found = async (...sql: readonly string[]) => {
        await alter('create table copies as table answer_evidence.workspaces', ...sql);
        const { code, stdout } = await operate('ledger-check');
        await alter(
          'delete from answer_evidence.workspaces',
          'insert into answer_evidence.workspaces select * from copies',
          'drop table copies',
        );
        return [code, ...stdout.split('\n')];
      };
      const acme = `answer_evidence.workspaces set %s where slug = 'acme'`;
      const altered = (change: string) => found(`update ${acme.replace('%s', change)}`);
      expect(await altered('wrapped_key = set_byte(wrapped_key, 20, 255 - get_byte(wrapped_key, 20))')).toEqual([
        1,
        sound,
        'acme: FAIL, the keys of the workspace "acme" do not open: nothing of it can be checked; see docs/operations.md, "A refused start"',
      ]);
      const unreadable = await altered(`vkey = 'unreadable'`);
      expect(unreadable.slice(0, 2)).toEqual([1, sound]);
      expect(unreadable.join('\n')).toMatch(/acme: FAIL.*\n.*FAIL log_name.*\n.*FAIL workspace: /);
      const swapped = await found(
        `update ${acme.replace('%s', `slug = 'other'`)}`,
        `update answer_evidence.workspaces set slug = 'acme' where slug = 'demo'`,
      );
      expect(swapped.filter((line) => /FAIL workspace/.test(String(line)))).toHaveLength(4);
      expect(await found(`delete from answer_evidence.workspaces where slug = 'acme'`)).toEqual([
        1,
        sound,
        'FAIL installation: workspaces: 2 were made, 1 are stored',
        expect.stringMatching(/^FAIL installation: heads of the workspace \S+ are kept in \S+\/heads, but/),
      ]);
      const seed = 'wrapped_seed = set_byte(wrapped_seed, 20, 255 - get_byte(wrapped_seed, 20))';
      await alter(`update answer_evidence.token_signing_keys set ${seed}`);
      const { code, stdout } = await operate('ledger-check');
      await alter(`update answer_evidence.token_signing_keys set ${seed}`);
      expect([code, ...stdout.split('\n')]).toEqual([
        1,
        sound,
        'acme: PASS, 4 of 4 entries re-derived',
        'FAIL installation: the token signing key of generation 1: its MAC is missing or wrong',
        'FAIL installation: the token signing key of generation 1: its seed does not open',
      ]);
    },
    3 * MINUTES_MS,
  );
});

describe('a service on a database with an altered workspace', () => {
  const RECORDS = '/api/answer-audit-logs';
  const flip = (column: string) => `${column} = set_byte(${column}, 20, 255 - get_byte(${column}, 20))`;

  it.each([
    ['its display name', `display_name = 'another'`, `display_name = 'Acme'`],
    ['its keys', flip('wrapped_key'), flip('wrapped_key')],
  ])(
    'refuses that one, whose row has %s altered, says so, and serves the others with all stages',
    async (_, change, back) => {
      const token = /token: (aeu_\S+)/.exec(await readFile(join(dataDir, 'acme.yaml'), 'utf8'))?.[1] ?? '';
      const metrics = String(await findFreePort());
      const lookAt = (path: string) => fetch(`http://127.0.0.1:${metrics}${path}`).then((reply) => reply.text());
      await alter(`update answer_evidence.workspaces set ${change} where slug = 'acme'`);
      const service = await openTestService({
        share: { databaseUrl: database.url, dataDir },
        environment: { SERVICE_METRICS_PORT: metrics },
      });
      try {
        const refusals = service.reports.filter((report) => report.includes('"acme" ('));
        expect(refusals).toEqual([
          expect.stringMatching(/is refused, and the others are served: .*"acme" (is|do not)/),
        ]);
        const refused = { status: 500, body: { code: 'content_damaged' } };
        expect(await service.call('POST', RECORDS, { token, body: answer('refused') })).toMatchObject(refused);
        expect(await service.call('GET', '/api/trust/keys', { token })).toMatchObject(refused);
        // An exporter keeps its batch on 503, and would drop it on 500.
        expect(await service.call('POST', `${RECORDS}/otel/v1/traces`, { token, body: {} })).toMatchObject({
          status: 503,
          body: { code: 14, message: expect.stringContaining('(content_damaged)') },
        });
        expect((await service.call('POST', RECORDS, { body: answer('served') })).status).toBe(201);
        expect((await service.call('POST', '/api/trust/anchors/run', { body: {} })).status).toBe(202);
        await until('a published checkpoint', async () => {
          const { body } = await service.call('GET', '/api/trust/checkpoints');
          return body.items.length > 0;
        });
        const ready = JSON.parse(await lookAt('/readyz'));
        expect(ready).toMatchObject({ ok: true, failing: [], damaged_workspaces: [expect.any(String)] });
        expect(refusals[0]).toContain(ready.damaged_workspaces[0]);
        expect(await lookAt('/metrics')).toMatch(/^workspaces_damaged 1$/m);
      } finally {
        await service.stop();
        await alter(`update answer_evidence.workspaces set ${back} where slug = 'acme'`);
      }
      const restored = await openTestService({ share: { databaseUrl: database.url, dataDir } });
      expect((await restored.call('POST', RECORDS, { token, body: answer('served again') })).status).toBe(201);
      await restored.stop();
    },
    3 * MINUTES_MS,
  );

  it(
    'is not ready when there is no other, and makes no new one',
    async () => {
      const metrics = String(await findFreePort());
      const rename = (from: string, to: string) =>
        `update answer_evidence.workspaces set slug = '${to}' || slug where slug like '${from}%'`;
      await alter(rename('', 'x-'));
      const service = await openTestService({
        share: { databaseUrl: database.url, dataDir },
        environment: { SERVICE_METRICS_PORT: metrics },
      });
      try {
        const reply = await fetch(`http://127.0.0.1:${metrics}/readyz`);
        const ready = (await reply.json()) as { damaged_workspaces: readonly string[] };
        expect([reply.status, ready]).toEqual([503, expect.objectContaining({ ok: false, failing: ['ledger'] })]);
        expect(ready.damaged_workspaces).toHaveLength(2);
      } finally {
        await service.stop();
        await alter(`update answer_evidence.workspaces set slug = substr(slug, 3)`);
      }
      const { code, stdout } = await operate('ledger-check');
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^demo: PASS.*\nacme: PASS[^\n]*$/)]);
    },
    3 * MINUTES_MS,
  );
});
