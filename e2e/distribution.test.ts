import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ON_COORDINATOR, ON_EVERY_NODE } from '@answer-evidence/postgres';
import { openTestDatabase, openTestLogins, type TestDatabase } from '@answer-evidence/testing';
import { FILE, type ReleasedStatements } from './previous-release/statements.ts';

/** Tables that belong to no workspace, and where each would be if workspaces were spread over servers. */
const OF_NO_WORKSPACE: Readonly<Record<string, string>> = {
  clock_marks: 'one row, of the installation: on every server',
  device_logins: 'devices that ask to sign in, before their workspace is known: on one server',
  erasures: 'transactions of one server, for its vacuum: on that server',
  installation: 'one row, of the installation: on every server',
  login_places: 'keys of people who sign in, before their workspace is known: on one server',
  login_tries: 'as login_places',
  token_signing_keys: 'of the installation: on every server',
  workspaces: 'a row for each workspace, which their tables refer to: on every server',
};

/** Indexes that do not begin with the workspace. None is unique. */
const INDEXES_ACROSS: Readonly<Record<string, string>> = {
  outbox_dispatched: 'the relay looks for lost jobs of every workspace',
  outbox_due: 'the relay looks for due jobs of every workspace',
  tokens_id: 'a request presents the id of a token, and nothing else',
};

/** Row triggers that read a table. */
const READING_TRIGGERS: Readonly<Record<string, string>> = {
  erase_triage_texts: 'deletes what was said of findings of the same workspace',
  place_workspace_entry: 'reads the leaf of an entry of the same workspace',
  refuse_smaller_checkpoint: 'reads the checkpoints of the same workspace',
};

/** Statements that read or write tables of workspaces without naming one, by what tells each from the others. */
const STATEMENTS_ACROSS: readonly (readonly [part: string, reason: string])[] = [
  ['from answer_evidence.tokens where id = $1', 'a request presents the id of a token, and nothing else'],
  ['from answer_evidence.outbox where dispatched_at is null', 'the relay looks for due jobs of every workspace'],
  ['from (select workspace_id, id from answer_evidence.outbox where dispatched_at', 'the relay looks for lost jobs'],
  ['delete from answer_evidence.dead_letters where replayed_at', 'the relay forgets what was replayed'],
];

type Plan = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Filter?: string;
};

const { statements }: ReleasedStatements = JSON.parse(await readFile(FILE, 'utf8'));
let database: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  database = await openTestDatabase();
  // A superuser, for whom row security adds no condition: a statement has to have its own.
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query('set search_path = answer_evidence');
});

afterAll(async () => {
  await owner.end();
  await database.close();
});

async function listOf(text: string): Promise<readonly string[]> {
  return (await owner.query<{ name: string }>(text)).rows.map(({ name }) => name);
}

const SCHEMA = `'answer_evidence'::regnamespace`;
const HAS_WORKSPACE = (table: string) => `exists (select from pg_attribute a
  where a.attrelid = ${table} and a.attname = 'workspace_id' and a.attnotnull and not a.attisdropped)`;

const findTablesOfNone = () =>
  listOf(`select relname as name from pg_class c
    where relnamespace = ${SCHEMA} and relkind = 'r' and not ${HAS_WORKSPACE('c.oid')} order by 1`);

const FIRST_COLUMN = `(select attname from pg_attribute a where a.attrelid = i.indrelid and a.attnum = i.indkey[0])`;
const findIndexesAcross = (uniqueOnly: boolean) =>
  listOf(`select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = ${SCHEMA} and ${HAS_WORKSPACE('i.indrelid')} ${uniqueOnly ? 'and i.indisunique' : ''}
      and ${FIRST_COLUMN} is distinct from 'workspace_id' order by 1`);

/** Foreign keys between tables of workspaces that may lead from one workspace to another. */
const findReferencesAcross = () =>
  listOf(`select conname as name from pg_constraint k
    where contype = 'f' and connamespace = ${SCHEMA} and ${HAS_WORKSPACE('k.confrelid')}
      and not exists (select from unnest(k.conkey, k.confkey) as pair (own, other)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = pair.own and a.attname = 'workspace_id'
        join pg_attribute b on b.attrelid = k.confrelid and b.attnum = pair.other and b.attname = 'workspace_id')
    order by 1`);

const READS = String.raw`\m(from|into|update|delete|perform)\M\s+answer_evidence`;

/** Whether the catalogue knows that the function `p` reads a table, since its body was parsed when it was made. */
const DEPENDS = `exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid
  and d.refclassid = 'pg_class'::regclass)`;

/** Functions of triggers that read a table, by themselves or by a function that they call. */
const findReadingTriggers = () =>
  listOf(`with recursive own as (
      select p.oid, proname, coalesce(pg_get_function_sqlbody(p.oid), prosrc) as body, ${DEPENDS} or prosrc ~* '${READS}' as reads
        from pg_proc p where pronamespace = ${SCHEMA}
    ), called (trigger_name, oid, body, reads) as (
      select o.proname, o.oid, o.body, o.reads from own o where exists (select from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where t.tgfoid = o.oid and c.relnamespace = ${SCHEMA} and not t.tgisinternal)
      union
      select c.trigger_name, o.oid, o.body, o.reads from called c
        join own o on c.body ~ ('\\m' || o.proname || '\\s*\\(')
    )
    select distinct trigger_name as name from called where reads order by 1`);

/** Functions whose body is parsed when they are made: Citus does not send one that reads a table to its nodes. */
const findParsedBodies = () =>
  listOf(`select proname as name from pg_proc p where pronamespace = ${SCHEMA} and ${DEPENDS} order by 1`);

/** The tables of workspaces that a plan goes through without the workspace's id. */
function scansAcross(plan: Plan, ofWorkspaces: ReadonlySet<string>): readonly string[] {
  const { 'Node Type': node, 'Relation Name': table, Plans = [] } = plan;
  const below = Plans.flatMap((one) => scansAcross(one, ofWorkspaces));
  if (table === undefined || !ofWorkspaces.has(table) || !node.includes('Scan')) return below;
  const conditions = [plan['Index Cond'], plan['Recheck Cond'], plan.Filter].join(' ');
  return /\bworkspace_id = /.test(conditions) ? below : [table, ...below];
}

/** What a statement goes through without a workspace's id, in the plan that has the fewest joins to choose from. */
async function scannedAcross(text: string): Promise<readonly string[]> {
  const ofWorkspaces = new Set(
    await listOf(`select relname as name from pg_class c where relnamespace = ${SCHEMA} and relkind = 'r'
      and ${HAS_WORKSPACE('c.oid')}`),
  );
  await owner.query('begin');
  try {
    // So that a condition on the workspace of a join stands at the scan that it restricts.
    await owner.query(
      'set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_seqscan = off',
    );
    const { rows } = await owner.query<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
      `explain (generic_plan, format json) ${text}`,
    );
    return (rows[0]?.['QUERY PLAN'] ?? []).flatMap((one) => scansAcross(one.Plan, ofWorkspaces));
  } finally {
    await owner.query('rollback');
  }
}

const isExcepted = (text: string) => STATEMENTS_ACROSS.find(([part]) => text.replaceAll(/\s+/g, ' ').includes(part));

describe('no key spans workspaces', () => {
  it('every table is of workspaces, or listed with where it would be', async () => {
    expect(await findTablesOfNone()).toEqual(Object.keys(OF_NO_WORKSPACE));
  });

  it('every key and every index of a table of workspaces begins with the workspace, or is listed', async () => {
    expect(await findIndexesAcross(true)).toEqual([]);
    expect(await findIndexesAcross(false)).toEqual(Object.keys(INDEXES_ACROSS));
    expect(await findReferencesAcross()).toEqual([]);
  });

  it('no trigger reads a table, or it is listed', async () => {
    expect(await findReadingTriggers()).toEqual(Object.keys(READING_TRIGGERS));
  });

  it('every function that reads a table can be sent to a node', async () => {
    expect(await findParsedBodies()).toEqual([]);
  });

  it('every table has its place: with its workspace, on every node, or on the coordinator', async () => {
    const placed = [...ON_EVERY_NODE, ...Object.keys(ON_COORDINATOR)];
    const tables = await listOf(
      `select relname as name from pg_class where relnamespace = ${SCHEMA} and relkind = 'r'`,
    );
    expect(placed.filter((name) => !tables.includes(name))).toEqual([]);
    expect((await findTablesOfNone()).filter((name) => !placed.includes(name))).toEqual([]);
  });

  it('every statement of the service names the workspace of each table that it goes through, or is listed', async () => {
    const across: string[] = [];
    const excepted = new Set<string>();
    for (const text of Object.values(statements).flat()) {
      const tables = await scannedAcross(text);
      if (tables.length === 0) continue;
      const exception = isExcepted(text);
      if (exception === undefined) across.push(`${tables.join(', ')}: ${text.slice(0, 300)}`);
      else excepted.add(exception[0]);
    }
    expect(across).toEqual([]);
    // What is no exception any more is taken off the list.
    expect([...excepted].sort()).toEqual(STATEMENTS_ACROSS.map(([part]) => part).sort());
  });

  it('the service works as logins, which other servers can be reached as', async () => {
    const logins = await openTestLogins(database.url);
    for (const url of Object.values(logins)) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query('select rolcanlogin from pg_roles where rolname = current_user');
      await client.end();
      expect(rows).toEqual([{ rolcanlogin: true }]);
    }
  });
});

describe('it would be found', () => {
  const after = async <T>(change: string, find: () => Promise<T>): Promise<T> => {
    await owner.query('begin');
    try {
      await owner.query(change);
      return await find();
    } finally {
      await owner.query('rollback');
    }
  };

  it.each([
    ['a table without a workspace', 'create table strays (id uuid)', findTablesOfNone, 'strays'],
    ['a key across', 'alter table tokens add constraint once unique (id)', () => findIndexesAcross(true), 'once'],
    [
      'a reference across',
      'alter table members add constraint one_id unique (id); alter table tokens add constraint of_member foreign key (user_id) references members (id)',
      findReferencesAcross,
      'of_member',
    ],
    [
      'a trigger that reads',
      `create function looks() returns trigger language plpgsql as $$ begin perform 1 from answer_evidence.members; return new; end $$;
       create trigger looking before insert on tokens for each row execute function looks()`,
      findReadingTriggers,
      'looks',
    ],
    [
      'a trigger that calls what reads',
      `create function behind() returns void language plpgsql as $$ begin perform 1 from answer_evidence.members; end $$;
       create function asks() returns trigger language plpgsql as $$ begin perform answer_evidence.behind(); return new; end $$;
       create trigger asking before insert on tokens for each row execute function asks()`,
      findReadingTriggers,
      'asks',
    ],
    [
      'a function that cannot be sent',
      `create function parsed(workspace uuid) returns bigint language sql stable
         return (select count(*) from answer_evidence.members m where m.workspace_id = workspace)`,
      findParsedBodies,
      'parsed',
    ],
  ])('%s', async (_, change, find, name) => {
    expect(await find()).not.toContain(name);
    expect(await after(change, find)).toContain(name);
  });

  it.each([
    'select question_hash from answer_evidence.answer_records where id = $1',
    `select 1 from answer_evidence.answer_records r join answer_evidence.ledger_leaves l on l.id = r.id
       where r.workspace_id = $1`,
    'update answer_evidence.members set username = $1 where id = $2',
  ])('%s', async (text) => {
    expect(await scannedAcross(text)).not.toEqual([]);
  });
});
