import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { vacuumErased } from '@answer-evidence/postgres';
import { readToken, runOperatorCommand, type ServiceProcess, startProcess } from '../tools/scenery/service-process.ts';
import { openReadyData } from './support/ready-data.ts';

const MINUTES_MS = 60_000;
const SMALL = 'a question that fits into a row of its table';
const REASON = 'a reason that a manager wrote into an event';
const LARGE = 'an answer that does not fit, and so lies in pieces elsewhere. '.repeat(400);

let dataDir: string;
let service: ServiceProcess;
let client: pg.Client;
let call: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;
beforeAll(async () => {
  dataDir = await openReadyData('erased');
  service = startProcess({ dataDir });
  const baseUrl = await service.ready;
  const token = await readToken(dataDir);
  call = async (method, path, body) => {
    const response = await fetch(`${baseUrl}/api/answer-audit-logs${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  client = new pg.Client({ connectionString: await databaseUrl() });
  await client.connect();
}, MINUTES_MS);
afterAll(async () => {
  await client.end();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function databaseUrl(): Promise<string> {
  return (await readFile(join(dataDir, 'postgres.url'), 'utf8')).trim();
}

function answer(question: string, text: string): object {
  return {
    application_key: 'support-bot',
    question: { text: question },
    answer: { text },
    source_refs: [{ source_ref_id: 'faq', source_name: 'faq.md' }],
  };
}

/** Bytes that identify a copy of a sealed object: its wrapped key, and a piece of each ciphertext, of one or of two. */
async function tracesOf(objectId: unknown): Promise<readonly Buffer[]> {
  const { rows } = await client.query<{ wrapped_key: Buffer; texts: Buffer | null; items: Buffer }>(
    'select wrapped_key, texts, items from answer_evidence.sealed_contents where object_id = $1',
    [objectId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('nothing is sealed');
  const pieces = [row.texts, row.items].flatMap((content) => (content === null ? [] : [content.subarray(-32)]));
  return [row.wrapped_key, ...pieces];
}

async function filesBelow(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** How many of the traces are in any file of the database. */
async function countInFiles(traces: readonly Buffer[]): Promise<number> {
  const found = new Set<Buffer>();
  for (const file of await filesBelow(join(dataDir, 'postgres'))) {
    // PostgreSQL may take a file away that was there a moment ago.
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    for (const trace of traces) if (bytes.includes(trace)) found.add(trace);
  }
  return found.size;
}

/** How many of the traces are in a dump of every table, as `COPY` writes it. */
async function countInDump(traces: readonly Buffer[]): Promise<number> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const found = new Set<Buffer>();
  for (const { name } of [...tables, { name: 'pg_catalog.pg_statistic' }]) {
    const { rows } = await client.query<{ line: string }>(`select t::text as line from ${name} t`);
    for (const { line } of rows)
      for (const trace of traces)
        if (line.includes(trace.toString('hex')) || line.includes(trace.toString())) found.add(trace);
  }
  return found.size;
}

describe('what was redacted', () => {
  it(
    'is in no dump after the redaction, and in no file of the database after the vacuum',
    async () => {
      const kept = await call('POST', '', answer('what is kept', 'this'));
      const small = await call('POST', '', answer(SMALL, 'short'));
      const large = await call('POST', '', answer('what is long', LARGE));
      const correction = {
        event_type: 'correction_appended',
        reason: REASON,
        payload: { corrected_answer_text: SMALL },
      };
      const { events } = await call('POST', `/${String(small.id)}/events`, correction);
      const [corrected] = events as readonly { readonly id: string }[];
      const ids = [small.id, large.id, corrected?.id];
      const erased = (await Promise.all(ids.map(tracesOf))).flat();
      const keptTraces = await tracesOf(kept.id);
      const plain = [Buffer.from(SMALL), Buffer.from(REASON), Buffer.from(LARGE.slice(0, 60))];
      // The planner's statistics would hold copies of their own.
      await client.query('analyze; checkpoint');
      // The short record has one content, the long one and the correction have two.
      expect(erased).toHaveLength(2 + 3 + 3);
      expect([await countInFiles(erased), await countInDump(erased)]).toEqual([8, 8]);
      expect([await countInFiles(plain), await countInDump(plain)]).toEqual([0, 0]);

      for (const { id } of [small, large]) {
        const redaction = { event_type: 'redacted', payload: { redact_source_ref_ids: ['faq'] } };
        const redacted = await call('POST', `/${String(id)}/events`, redaction);
        expect(redacted.erasure).toEqual({ online_at: expect.any(String), backups_until: expect.any(String) });
        expect((redacted.events as readonly object[]).at(-1)).toMatchObject({ erasure: redacted.erasure });
      }
      expect(await countInDump(erased)).toBe(0);
      expect(await countInFiles(erased)).toBe(8);

      expect(await runOperatorCommand(['erasure-vacuum'], { dataDir })).toEqual({
        code: 0,
        stdout: 'erased data is no longer in the files of the database',
        stderr: '',
      });
      expect([await countInFiles(erased), await countInDump(erased)]).toEqual([0, 0]);
      expect([await countInFiles(plain), await countInFiles(keptTraces)]).toEqual([0, 2]);
      // Nothing was erased since then, and all the same it is so.
      expect((await runOperatorCommand(['erasure-vacuum'], { dataDir })).stdout).toBe(
        'erased data is no longer in the files of the database',
      );
    },
    5 * MINUTES_MS,
  );

  it(
    'is taken out by the command also when a run of the service found everything too large and left it',
    async () => {
      const record = await call('POST', '', answer('what is left', 'this is left'));
      const erased = await tracesOf(record.id);
      await client.query('checkpoint');
      await call('POST', `/${String(record.id)}/events`, { event_type: 'redacted' });
      expect(
        await vacuumErased(await databaseUrl(), { tableBytesMax: 0, partBytesMax: 0, logBytesMax: 0, again: false }),
      ).toMatchObject({
        kind: 'done',
        notRewritten: expect.arrayContaining(['answer_evidence_parts.sealed_contents_0']),
        log: 'too-large',
        isSomeHeldBack: false,
      });
      expect(await countInFiles(erased.slice(0, 2))).toBe(2);
      expect((await runOperatorCommand(['erasure-vacuum'], { dataDir })).code).toBe(0);
      expect(await countInFiles(erased.slice(0, 2))).toBe(0);
    },
    2 * MINUTES_MS,
  );

  it(
    'is not said to be gone while another process is at it',
    async () => {
      // The lock of the vacuum.
      await client.query('select pg_advisory_lock(4171930018)');
      const { code, stdout } = await runOperatorCommand(['erasure-vacuum'], { dataDir });
      await client.query('select pg_advisory_unlock(4171930018)');
      expect([code, stdout]).toEqual([1, expect.stringContaining('a process of the service is vacuuming')]);
    },
    MINUTES_MS,
  );

  it(
    'is left for later while somebody still reads the database as it was',
    async () => {
      const record = await call('POST', '', answer('what is read meanwhile', 'this'));
      const erased = await tracesOf(record.id);
      const reader = new pg.Client({ connectionString: await databaseUrl() });
      await reader.connect();
      await reader.query('begin isolation level repeatable read');
      await reader.query('select 1 from answer_evidence.sealed_contents');
      await call('POST', `/${String(record.id)}/events`, { event_type: 'redacted' });
      const early = await runOperatorCommand(['erasure-vacuum'], { dataDir });
      expect([early.code, early.stdout]).toEqual([1, expect.stringContaining('still reads the database')]);
      await reader.query('commit');
      await reader.end();
      expect((await runOperatorCommand(['erasure-vacuum'], { dataDir })).code).toBe(0);
      expect(await countInFiles(erased.slice(0, 2))).toBe(0);
    },
    2 * MINUTES_MS,
  );
});

describe('a role that may not touch the write-ahead log', () => {
  it(
    'vacuums the tables and says what stays',
    async () => {
      const { rows } = await client
        .query<{ role: string }>(
          `do $$ begin create role evidence_owner login password 'evidence' nosuperuser; end $$;
       select rolname as role from pg_roles where rolname = 'evidence_owner'`,
        )
        .then((results) => (Array.isArray(results) ? results.at(-1) : results));
      expect(rows).toEqual([{ role: 'evidence_owner' }]);
      await client.query(
        `grant answer_evidence_app to evidence_owner; grant create, usage on schema answer_evidence to evidence_owner`,
      );
      await client.query('grant create, usage on schema answer_evidence_parts to evidence_owner');
      await client.query('alter table answer_evidence_parts.sealed_contents_0 owner to evidence_owner');
      for (const table of ['sealed_contents', 'erasures'])
        await client.query(`alter table answer_evidence.${table} owner to evidence_owner`);
      await client.query('grant select, insert on answer_evidence.erasures to answer_evidence_app');
      await client.query('insert into answer_evidence.erasures (xid) values (pg_current_xact_id())');
      const url = new URL(await databaseUrl());
      url.username = 'evidence_owner';
      url.password = 'evidence';
      const limits = { tableBytesMax: Infinity, partBytesMax: Infinity, logBytesMax: Infinity, again: false };
      expect(await vacuumErased(url.href, limits)).toMatchObject({ kind: 'done', log: 'not-permitted' });
    },
    MINUTES_MS,
  );
});
