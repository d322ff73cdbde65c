import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openTestLogins, startTestPostgres, type TestDatabase, type TestPostgres } from '@answer-evidence/testing';
import type { DatabaseRole } from './assert-session.ts';
import type { ServiceUrls } from './logins.ts';
import { migrate } from './migrate.ts';
import { openOwnerClient } from './open-owner-client.ts';
import { openPool } from './pool.ts';
import { sessionOf } from './session-settings.ts';

/** What a person finds in old configurations, guides and templates of providers. */
const ODD: Readonly<Record<string, string>> = {
  array_nulls: 'off',
  backslash_quote: 'on',
  bytea_output: 'escape',
  check_function_bodies: 'off',
  client_encoding: 'LATIN1',
  client_min_messages: 'debug1',
  createrole_self_grant: 'set, inherit',
  DateStyle: 'German, DMY',
  default_text_search_config: 'pg_catalog.german',
  default_transaction_deferrable: 'on',
  default_transaction_isolation: 'serializable',
  enable_hashjoin: 'off',
  enable_seqscan: 'off',
  escape_string_warning: 'off',
  exit_on_error: 'on',
  extra_float_digits: '-15',
  gin_fuzzy_search_limit: '1',
  idle_in_transaction_session_timeout: '1ms',
  idle_session_timeout: '1ms',
  IntervalStyle: 'sql_standard',
  jit: 'on',
  lc_monetary: 'C.UTF-8',
  lc_numeric: 'C.UTF-8',
  lc_time: 'C.UTF-8',
  lock_timeout: '1ms',
  log_parameter_max_length_on_error: '-1',
  plan_cache_mode: 'force_generic_plan',
  quote_all_identifiers: 'on',
  restrict_nonsystem_relation_kind: 'view, foreign-table',
  row_security: 'off',
  search_path: 'pg_temp, public, pg_catalog',
  standard_conforming_strings: 'off',
  statement_timeout: '1ms',
  synchronous_commit: 'off',
  TimeZone: 'America/St_Johns',
  transaction_timeout: '900ms',
  transform_null_equals: 'on',
  xmlbinary: 'hex',
  xmloption: 'document',
};

/** What switches off what the service relies on, and no session may ask for. */
const REFUSED = {
  ignore_checksum_failure: 'on',
  session_replication_role: 'replica',
  zero_damaged_pages: 'on',
};

/** Values of every type that is read, and literals whose meaning a setting may change. */
const TEXTS = `select 1700000000123456::bigint::double precision::text as float,
  0.1::float8 + 0.2::float8 as sum, '\\x00ff5c'::bytea as bytes, '\\x00ff5c'::bytea::text as bytes_text,
  '{1,null,NULL}'::int[]::text as list, 'a\\b' as literal, timestamptz '2026-01-02 03:04:05.678901+02'::text as moment,
  date '2026-02-01'::text as day, interval '1 day -2 hours'::text as span, null = null as is_null,
  to_char(1234.5, '9G999D9') as number, quote_ident('name') as identifier, 'ü€😀' as text, E'\\'' as quoted,
  current_setting('transaction_isolation') as isolation, current_setting('transaction_deferrable') as deferrable,
  (select count(*)::int from pg_timezone_names where name = 'UTC') as zones`;

let server: TestPostgres;
let database: TestDatabase;
let admin: pg.Client;
let logins: ServiceUrls;
let expected: readonly unknown[];

beforeAll(async () => {
  // What the server itself is told is told to everybody on it.
  server = await startTestPostgres();
  admin = await openOwnerClient(server.url, {});
  await admin.query(`create role owning superuser login password 'owning'`);
  await admin.query('create database odd owner owning');
  const url = new URL(server.url);
  url.pathname = '/odd';
  url.username = 'owning';
  url.password = 'owning';
  database = { url: url.href, close: () => Promise.resolve() };
  await migrate(database.url);
  logins = await openTestLogins(database.url);
  expected = await readAll();
});
afterAll(async () => {
  await admin.end();
  await server.close();
});

const loginOf = (role: keyof ServiceUrls): string => new URL(logins[role]).searchParams.get('user') ?? '';

/** What the first connection of each kind reads. */
async function readAll(): Promise<readonly unknown[]> {
  const asked: [string, DatabaseRole][] = [
    [database.url, 'owner'],
    [logins.answer_evidence_app, 'answer_evidence_app'],
    [logins.answer_evidence_relay, 'answer_evidence_relay'],
  ];
  const read: unknown[] = [];
  for (const [url, role] of asked) {
    const pool = openPool({ url, role, connectionsMax: 1, onError: () => undefined });
    try {
      read.push((await pool.query(TEXTS)).rows);
    } finally {
      await pool.end();
    }
  }
  const client = await openOwnerClient(database.url, {});
  read.push((await client.query(TEXTS)).rows);
  await client.end();
  return read;
}

type Place = { readonly name: string; set(name: string, value: string): Promise<void>; reset(): Promise<void> };

const ROLES = () => ['owning', loginOf('answer_evidence_app'), loginOf('answer_evidence_relay')];

/** A setting has the form of a list only where it is one. */
const formatValue = (name: string, value: string): string =>
  name === 'search_path' || name === 'DateStyle' ? value : `'${value}'`;

const PLACES: readonly Place[] = [
  {
    name: 'the server',
    async set(name, value) {
      await admin.query(`alter system set ${name} = ${formatValue(name, value)}`);
      await reload();
    },
    async reset() {
      await admin.query('alter system reset all');
      await reload();
    },
  },
  {
    name: 'the database',
    set: async (name, value) =>
      void (await admin.query(`alter database odd set ${name} = ${formatValue(name, value)}`)),
    reset: async () => void (await admin.query('alter database odd reset all')),
  },
  {
    name: 'the roles',
    async set(name, value) {
      for (const role of ROLES()) await admin.query(`alter role ${role} set ${name} = ${formatValue(name, value)}`);
    },
    async reset() {
      for (const role of ROLES()) await admin.query(`alter role ${role} reset all`);
    },
  },
  {
    name: 'the roles in the database',
    async set(name, value) {
      for (const role of ROLES())
        await admin.query(`alter role ${role} in database odd set ${name} = ${formatValue(name, value)}`);
    },
    async reset() {
      for (const role of ROLES()) await admin.query(`alter role ${role} in database odd reset all`);
    },
  },
];

/** Resolves when the server has read its settings again, which a new connection sees. */
async function reload(): Promise<void> {
  const before = await readLoadTime();
  await admin.query('select pg_reload_conf()');
  while ((await readLoadTime()) === before);
}

async function readLoadTime(): Promise<string | undefined> {
  // Not judged: its settings may be those that are refused.
  const { connectionString, options } = sessionOf(server.url, 'owner');
  const client = new pg.Client({ connectionString, options });
  await client.connect();
  const { rows } = await client.query<{ at: string }>('select pg_conf_load_time()::text as at');
  await client.end();
  return rows[0]?.at;
}

async function knows(name: string): Promise<boolean> {
  const { rows } = await admin.query(`select current_setting($1, true) is not null as is_known`, [name]);
  return (rows[0] as { is_known: boolean }).is_known;
}

describe.each(PLACES)('the settings of $name', ({ set, reset }) => {
  it.each(Object.entries(ODD))('change nothing of what is read: %s=%s', async (name, value) => {
    if (!(await knows(name))) return;
    try {
      await set(name, value);
      expect(await readAll()).toEqual(expected);
    } finally {
      await reset();
    }
  });

  it('change nothing together', async () => {
    try {
      for (const [name, value] of Object.entries(ODD)) if (await knows(name)) await set(name, value);
      expect(await readAll()).toEqual(expected);
    } finally {
      await reset();
    }
  });

  it.each(Object.entries(REFUSED))('refuse a connection by their name: %s=%s', async (name, value) => {
    try {
      await set(name, value);
      await expect(readAll()).rejects.toThrow(
        new RegExp(
          `gives connections ${name} "${value}", not "\\w+": run: alter database "odd" reset ${name}; alter role`,
        ),
      );
    } finally {
      await reset();
    }
  });
});
