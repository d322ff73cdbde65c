import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { refuseStart, runOperatorCommand } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';

/** Settings of old configurations and of guides, each of which changes what a plain session reads or may do. */
const ODD: Readonly<Record<string, string>> = {
  array_nulls: 'off',
  bytea_output: 'escape',
  check_function_bodies: 'off',
  client_encoding: 'LATIN1',
  DateStyle: 'German, DMY',
  default_transaction_deferrable: 'on',
  default_transaction_isolation: 'serializable',
  escape_string_warning: 'off',
  exit_on_error: 'on',
  extra_float_digits: '0',
  gin_fuzzy_search_limit: '1',
  idle_in_transaction_session_timeout: '50ms',
  idle_session_timeout: '50ms',
  IntervalStyle: 'sql_standard',
  lock_timeout: '1ms',
  quote_all_identifiers: 'on',
  row_security: 'off',
  search_path: 'pg_temp, public, pg_catalog',
  standard_conforming_strings: 'off',
  statement_timeout: '1ms',
  TimeZone: 'America/St_Johns',
  transform_null_equals: 'on',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-settings-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Asks as a superuser whom no setting of the database holds up. */
async function asAdmin(url: string, ...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const server = new URL(url);
  server.pathname = '/postgres';
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  try {
    let rows: readonly Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

function alterations(url: string, settings = ODD): readonly string[] {
  return Object.entries(settings).map(([name, value]) => {
    const text = name === 'search_path' || name === 'DateStyle' ? value : `'${value}'`;
    return `alter database ${nameOf(url)} set ${name} = ${text}`;
  });
}

/** Everything that a caller reads of a record; and what was made meanwhile does not change it. */
async function recordAndRead(service: TestService, text: string): Promise<readonly unknown[]> {
  const created = await service.call('POST', '/api/answer-audit-logs', { body: answer(text, 'a\\b ü€ 😀 {null}') });
  expect(created.status).toBe(201);
  const path = `/api/answer-audit-logs/${String(created.body.id)}`;
  const corrected = await service.call('POST', `${path}/events`, {
    body: { event_type: 'correction_appended', payload: { corrected_answer_text: 'c\\d' } },
  });
  expect([200, 201]).toContain(corrected.status);
  return readRecord(service, path);
}

async function readRecord(service: TestService, path: string): Promise<readonly unknown[]> {
  const { status, body } = await service.call('GET', path);
  const { receipt: _, ledger: __, ...rest } = body;
  return [path, status, rest];
}

describe('a database whose settings change what a session reads', () => {
  it('is read and judged as any other, from the first start on and when they change later', async () => {
    const service = await openTestService();
    const admin = service.databaseUrl;
    try {
      const first = await recordAndRead(service, 'before any setting');
      // From now on every new connection would have them; those that there are end.
      await asAdmin(
        admin,
        ...alterations(admin),
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${nameOf(admin)}'`,
      );
      const read = () => readRecord(service, String(first[0])).catch(() => undefined);
      for (let seen = await read(); seen?.[1] === 503; seen = await read());
      expect(await read()).toEqual(first);
      const second = await recordAndRead(service, 'while they are set');
      const listed = await service.call('GET', '/api/answer-audit-logs');
      expect([listed.status, listed.body.total]).toEqual([200, 2]);
      await service.stop();

      const again = await openTestService({ share: service });
      try {
        for (const known of [first, second]) expect(await readRecord(again, String(known[0]))).toEqual(known);
        await recordAndRead(again, 'after a start');
        const environment = { DATABASE_URL: admin };
        const checked = await runOperatorCommand(['ledger-check'], { dataDir: service.dataDir, environment });
        expect([checked.code, checked.stdout]).toEqual([0, expect.stringMatching(/^demo: PASS, (\d+) of \1 entries/)]);
        const looked = await runOperatorCommand(['doctor'], { dataDir: service.dataDir, environment });
        expect([looked.code, looked.stdout]).toEqual([0, expect.stringMatching(/^PASS database\.session/m)]);
      } finally {
        await again.stop();
      }
    } finally {
      await service.close();
    }
  }, 120_000);

  describe('and which the service cannot change', () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await openTestDatabase();
    });
    afterAll(() => database.close());

    it('is refused by its name, too, where it is that of a login of the service alone', async () => {
      const place = await mkdtemp(join(tmpdir(), 'answer-evidence-settings-'));
      const service = await openTestService({ share: { databaseUrl: database.url, dataDir: place } });
      await service.close();
      const [login] = await asAdmin(
        database.url,
        `select rolname from pg_roles join pg_database on datname = '${nameOf(database.url)}'
           where rolname = 'answer_evidence_app_' || pg_database.oid`,
      );
      const name = String(login?.['rolname']);
      const alter = `alter role "${name}" in database ${nameOf(database.url)}`;
      await asAdmin(database.url, `${alter} set default_transaction_read_only = on`);
      const environment = { DATABASE_URL: database.url };
      const line = await refuseStart({ dataDir: place, environment });
      expect(line).toContain(`makes transactions of "${name}" read-only`);
      expect(line).toContain(
        `alter role "${name}" in database "${nameOf(database.url)}" reset default_transaction_rea`,
      );
      const looked = await runOperatorCommand(['doctor'], { dataDir: place, environment });
      expect([looked.code, looked.stdout]).toEqual([1, expect.stringMatching(/^FAIL database\.logins: .*read-only/m)]);
      await asAdmin(database.url, `${alter} reset default_transaction_read_only`);
      await rm(place, { recursive: true, force: true });
    }, 120_000);

    it.each([
      ['session_replication_role', 'replica'],
      ['zero_damaged_pages', 'on'],
      ['ignore_checksum_failure', 'on'],
      ['default_transaction_read_only', 'on'],
    ])('is refused by the name of the setting: %s=%s', async (name, value) => {
      await asAdmin(database.url, ...alterations(database.url, { [name]: value }));
      try {
        const line = await refuseStart({ dataDir: folder, environment: { DATABASE_URL: database.url } });
        expect(line).toMatch(new RegExp(`alter database "${nameOf(database.url)}" reset ${name}`));
        expect(line).not.toMatch(/restore|recover/i);
      } finally {
        await asAdmin(database.url, `alter database ${nameOf(database.url)} reset ${name}`);
      }
    });
  });
});
