import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { runProgram } from '../machine/run-program.ts';
import { CONNECTIONS } from './run-wrk.ts';

/** One table in the service's database, and pgbench that inserts a row of it a transaction. */
export type RawRows = {
  /** Transactions a second on all connections. */
  measureRate(seconds: number): Promise<number>;
  /** Milliseconds of each of so many transactions, one after the other on one connection. */
  measureLone(count: number): Promise<readonly number[]>;
  close(): Promise<void>;
};

// The columns and indexes of a record and of its leaf in one row. What a create writes besides (the sealed texts, the
// head, the commit) is left out, so the comparison favours the raw insert. Triggers, row-level
// security and privileges are not copied.
const TABLE = `
  create schema bench;
  create table bench.rows (
    like answer_evidence.answer_records including all,
    type text not null, subject uuid not null, seq bigint not null, hash bytea not null, at bigint not null,
    leaf_hash bytea not null
  );
  create unique index on bench.rows (workspace_id, leaf_index);
  create unique index on bench.rows (workspace_id, subject, id);
  create sequence bench.leaf_index cache 1;`;

const UUID = '01994d10-7c00-7000-8000-000000000001';
const HASH = 'ab'.repeat(32);
/** Sent as parameters of the prepared statement: pgbench would read text after a colon as a variable. */
const PARAMETERS: Readonly<Record<string, string>> = {
  uuid: UUID,
  nonce: `\\x${HASH.slice(32)}`,
  commitment: `hmac-sha256:${HASH}`,
  semantic_refs: `["sha256:${HASH}"]`,
  source_refs: `[{"hash":"sha256:${HASH}","source_ref_id":"kb-17"}]`,
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  created_by: `{"id":"${UUID}","kind":"application","token_id":"${UUID}"}`,
  hash: `\\x${HASH}`,
};
const INSERT = `
  insert into bench.rows (
    workspace_id, leaf_index, id, nonce, application_key, environment, idempotency_key, question_hash,
    question_hash_key_id, question_text_state, answer_hash, answer_hash_key_id, answer_text_state, semantic_refs_json,
    source_refs_json, evidence_access_event_ids_json, external_trace_id, external_message_id, mode, actor_id_hash,
    session_id_hash, retention_until, created_by_json, settings_version, key_claim, type, subject, seq, hash, at, leaf_hash)
  select :uuid::uuid, nextval('bench.leaf_index'), id, :nonce::bytea, 'support-bot', 'production',
    id::text, :commitment::text, 'hk-1', 'stored', :commitment::text, 'hk-1', 'stored',
    :semantic_refs::text, :source_refs::text, '[]', :trace_id::text, null, 'live', null,
    null, 1800000000000000, :created_by::text, 1, :hash::bytea, 'answer_recorded', id, 0, :hash::bytea,
    1700000000000000, :hash::bytea
  from (select uuidv7() as id) as new;`;

/** Makes the table and the script of pgbench. */
export async function openRawRows(pgbench: string, databaseUrl: string): Promise<RawRows> {
  const dir = await mkdtemp(join(tmpdir(), 'answer-evidence-pgbench-'));
  const script = join(dir, 'insert.sql');
  await writeFile(script, `${INSERT.replaceAll(/\s+/g, ' ').trim()}\n`);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(TABLE);
  } finally {
    await client.end();
  }

  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const connection = {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: pathname.slice(1),
  };
  const parameters = Object.entries(PARAMETERS).map(([name, value]) => `--define=${name}=${value}`);
  const run = (args: readonly string[]) =>
    runProgram(
      pgbench,
      ['--no-vacuum', '--protocol', 'prepared', '--file', script, ...parameters, ...args],
      connection,
    );
  let logs = 0;
  return {
    async measureRate(seconds) {
      const stdout = await run(['--client', String(CONNECTIONS), '--jobs', '1', '--time', String(seconds)]);
      const rate = /^tps = ([\d.]+) \(without initial connection time\)$/m.exec(stdout)?.[1];
      if (rate === undefined) throw new Error(`pgbench has not reported:\n${stdout}`);
      return Number(rate);
    },
    async measureLone(count) {
      const prefix = `lone-${++logs}`;
      await run(['--client', '1', '--transactions', String(count), '--log', '--log-prefix', join(dir, prefix)]);
      const files = (await readdir(dir)).filter((name) => name.startsWith(`${prefix}.`));
      const lines = (await Promise.all(files.map((name) => readFile(join(dir, name), 'utf8')))).join('').trim();
      return lines.split('\n').map(parseLogLine);
    },
    close: () => rm(dir, { recursive: true, force: true }),
  };
}

/** The latency of a line of `pgbench --log` in ms: client, transaction, microseconds, script, time. */
function parseLogLine(line: string): number {
  const micros = /^\d+ \d+ (\d+) /.exec(line)?.[1];
  if (micros === undefined) throw new Error(`this is no line of a log of pgbench: ${line}`);
  return Number(micros) / 1000;
}
