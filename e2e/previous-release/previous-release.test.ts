import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { FILE, readColumns, type ReleasedStatements } from './statements.ts';

const { columns, statements }: ReleasedStatements = JSON.parse(await readFile(FILE, 'utf8'));

let database: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  database = await openTestDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query('set search_path = answer_evidence');
});

afterAll(async () => {
  await owner.end();
  await database.close();
});

/** Why a role of the service cannot run a statement on this schema; nothing where it can. */
async function refusalOf(role: string, text: string): Promise<string | undefined> {
  await owner.query('begin');
  try {
    await owner.query(`set local role ${role}`);
    // Plans it and looks at the rights, and runs nothing.
    await owner.query(`explain (generic_plan) ${text}`);
    return undefined;
  } catch (error) {
    return `${(error as Error).message}: ${text.slice(0, 200)}`;
  } finally {
    await owner.query('rollback');
  }
}

/** The columns that each table insists on, and that an insert has to name. */
async function readNeeded(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await owner.query<{ table: string; columns: readonly string[] }>(
    `select relname as table, array_agg(attname::text) as columns
       from pg_attribute join pg_class on pg_class.oid = attrelid
       where relnamespace = 'answer_evidence'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
         and attnotnull and not atthasdef and attidentity = ''
       group by 1`,
  );
  return new Map(rows.map(({ columns, table }) => [table, columns]));
}

/** What the inserts of a statement leave out. */
function findMissing(text: string, needed: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return [...text.matchAll(/insert into (?:answer_evidence\.)?(\w+)(?: as \w+)?\s*\(([^)]*)\)/gi)].flatMap(
    ([, table = '', list = '']) => {
      const given = new Set(list.match(/\w+/g));
      return (needed.get(table) ?? []).filter((column) => !given.has(column)).map((column) => `${table}.${column}`);
    },
  );
}

async function findFaults(): Promise<readonly string[]> {
  const needed = await readNeeded();
  const now = await readColumns(owner);
  const faults = Object.entries(columns)
    .filter(([column, type]) => now[column] !== undefined && now[column] !== type)
    .map(([column, type]) => `${column} is not ${type}`);
  for (const [role, texts] of Object.entries(statements))
    for (const text of texts) {
      const refusal = await refusalOf(role, text);
      faults.push(...(refusal === undefined ? [] : [refusal]), ...findMissing(text, needed));
    }
  return [...new Set(faults)];
}

/** The faults on a schema that a migration has changed so. */
async function faultsAfter(migration: string): Promise<string> {
  await owner.query('reset role');
  const before = owner.query.bind(owner);
  await before('begin');
  try {
    await before(migration);
    // Each statement is undone by itself, and the migration at the end.
    owner.query = ((text: string) =>
      before(text === 'begin' ? 'savepoint one' : text === 'rollback' ? 'rollback to one' : text)) as never;
    return (await findFaults()).join('\n');
  } finally {
    owner.query = before;
    await before('rollback');
  }
}

describe('the statements of the previous release', () => {
  it('run on the newest schema, under the rights of their roles', async () => {
    expect(Object.keys(statements)).toEqual(['answer_evidence_app', 'answer_evidence_relay']);
    expect(Object.values(statements).flat().length).toBeGreaterThan(150);
    expect(await findFaults()).toEqual([]);
  });

  it.each([
    ['drops a column', 'alter table answer_records drop column session_id_hash cascade', 'session_id_hash'],
    ['insists on a new column', 'alter table record_states add column place bigint not null', 'record_states.place'],
    ['renames a table', 'alter table ledger_leaves rename to leaves', 'ledger_leaves" does not exist'],
    ['takes a right away', 'revoke insert on outbox from answer_evidence_app', 'permission denied for table outbox'],
    ['changes a type', 'alter table outbox alter column topic type bytea using null', 'outbox.topic is not text'],
  ])('would find a migration that %s', async (_what, migration, fault) => {
    expect(await faultsAfter(migration)).toContain(fault);
  });
});
