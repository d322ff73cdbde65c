import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { type AnyTable, type Column, type ColumnType, TABLES } from '@answer-evidence/tables';
import { codeOf } from '../fixtures/code-of.ts';
import { fillEveryTable } from '../fixtures/fill-every-table.ts';
import { openTestLog, type TestLog } from '../fixtures/open-log.ts';

const CATALOGUE = Object.values<AnyTable>(TABLES);

/** What was recorded: rows come, and never change or go. */
const INSERT_ONLY: readonly string[] = CATALOGUE.filter(({ insertOnly }) => insertOnly).map(({ name }) => name);

/** What may change of a workspace, what the service may do to it, and why. */
const MUTABLE: Readonly<Record<string, readonly [privileges: string, reason: string]>> = {
  approvals: ['INSERT SELECT', 'end: four columns that may be updated, each time with an entry of the log'],
  answered_claims: ['DELETE INSERT SELECT', 'follow from the items of a record, and go with them'],
  anchor_secrets: ['DELETE INSERT SELECT UPDATE', 'the newest of each anchor counts, and old ones must go'],
  console_sessions: ['DELETE INSERT SELECT', 'come with a sign-in, and go: one column that may be updated'],
  counted_lists: ['DELETE INSERT SELECT UPDATE', 'follow from the log, and are counted again at any time'],
  counted_logs: ['DELETE INSERT SELECT UPDATE', 'follow from the log, and are counted again at any time'],
  counted_runs: ['DELETE INSERT SELECT UPDATE', 'follow from the log, and are counted again at any time'],
  daily_counts: ['DELETE INSERT SELECT UPDATE', 'follow from the log, and are counted again at any time'],
  evidence_contents: ['DELETE INSERT SELECT', 'go with the last asset that has them as its original'],
  evidence_details: ['DELETE INSERT SELECT', 'are erased; what stays is sealed anew'],
  evidence_dues: ['INSERT SELECT', 'are moved on: one column that may be updated, and the MAC'],
  evidence_originals: ['DELETE INSERT SELECT', 'go with a redaction or an expiry'],
  evidence_purges: ['INSERT SELECT', 'say when the bytes were deleted: one column that may be updated, and the MAC'],
  evidence_segment_contents: ['DELETE INSERT SELECT', 'are erased, each with its key'],
  evidence_states: ['INSERT SELECT UPDATE', 'follow from redactions and expiries'],
  ledger_checks: ['DELETE INSERT SELECT UPDATE', 'say what checks found, under a MAC, and go when one ends'],
  ledger_heads: ['INSERT SELECT UPDATE', 'moves with every commit, under a MAC'],
  member_credentials: ['DELETE INSERT SELECT', 'are replaced by each password or link, and go with the member'],
  members: ['INSERT SELECT', 'change roles, are disabled and removed: five columns that may be updated'],
  provider_links: ['DELETE INSERT SELECT', 'are replaced and undone by managers, and go with the member'],
  dead_letters: ['SELECT', 'come and go with the relay; their replay is the one column that the service updates'],
  notification_conditions: ['DELETE INSERT SELECT UPDATE', 'are what was told of, and no more once they have ended'],
  notification_deliveries: ['DELETE INSERT SELECT UPDATE', 'are tried, delivered and forgotten'],
  notification_places: ['DELETE INSERT SELECT UPDATE', 'say how far the log was told'],
  notification_states: ['INSERT SELECT UPDATE', 'say how a target does'],
  notification_targets: ['INSERT SELECT UPDATE', 'are changed and removed, each time with an entry of the log'],
  notifications: ['DELETE INSERT SELECT UPDATE', 'go with their last delivery'],
  otlp_calls: ['DELETE INSERT SELECT', 'say of which calls the records of a day were made; old ones go'],
  otlp_ignored: ['DELETE INSERT SELECT', 'count what leaves no record: five columns that may be updated; old ones go'],
  otlp_fates: ['DELETE INSERT SELECT', 'say what became of items: three columns that may be updated; old ones go'],
  otlp_left_out: ['DELETE INSERT SELECT', 'count what leaves no record: five columns that may be updated; old ones go'],
  otlp_inbox: ['DELETE INSERT SELECT', 'hold what was accepted until it is worked off'],
  otlp_trace_parts: ['DELETE INSERT SELECT', 'are sealed anew without what was decided: three columns, and go'],
  otlp_traces: ['DELETE INSERT SELECT', 'are decided and forgotten: four columns that may be updated'],
  otlp_unattached: ['DELETE INSERT SELECT', 'list what belongs to no record, until it does or is old'],
  otlp_waiting: ['DELETE INSERT SELECT', 'wait for their record, and go'],
  outbox: ['INSERT SELECT', 'are handed to the queue by the relay, which deletes them when they are done'],
  reconciliation_states: [
    'INSERT SELECT UPDATE',
    'go from queued to completed, and then no further: a trigger refuses it',
  ],
  record_states: ['INSERT SELECT UPDATE', 'follow from events, which the check replays'],
  saved_views: ['DELETE INSERT SELECT', 'are lists under a name, and go when a member removes them'],
  sealed_contents: ['DELETE INSERT SELECT', 'are erased; what stays is sealed anew; when to look next moves'],
  stream_states: ['INSERT SELECT UPDATE', 'say how far a stream is'],
  streams: ['INSERT SELECT UPDATE', 'are changed and removed, each time with an entry of the log'],
  token_uses: ['INSERT SELECT', 'about when a token was last used, the one column that may be updated'],
  triage_texts: ['DELETE INSERT SELECT', 'are erased: on request, with their retention, and with their record'],
  tokens: ['INSERT SELECT', 'are revoked: the three columns of that may be updated, each once'],
  trust_looks: ['INSERT SELECT UPDATE', 'only tell when witnesses and authorities are to be asked'],
  trust_tallies: ['INSERT SELECT UPDATE', 'count what vouches for the log, under a MAC'],
  word_indexes: ['DELETE INSERT SELECT UPDATE', 'say how far words are indexed, under a MAC, and go with them'],
  word_tokens: ['DELETE INSERT SELECT', 'are erased with the texts that have the words'],
  witness_states: ['INSERT SELECT UPDATE', 'only tell when a witness is asked again'],
};

/** Tables of the installation, which belong to no workspace. */
const INSTALLATION: readonly string[] = ['clock_marks', 'erasures', 'installation', 'token_signing_keys', 'workspaces'];
/** The same, of which rows also go: they only hold logins back. */
const LOGIN_TABLES: readonly string[] = ['device_logins', 'login_places', 'login_tries'];

/** Columns of a workspace's tables that only the relay sets. */
const SET_BY_THE_RELAY = ['outbox.dispatched_at', 'outbox.generation', 'outbox.attempts'];

/** Columns that the database fills itself, from the leaf of an entry and from its core. */
const SET_BY_THE_DATABASE = ['leaf_index', 'actor_id', 'record_id'].map((column) => `workspace_entries.${column}`);

const OF_A_WORKSPACE = [...INSERT_ONLY, ...Object.keys(MUTABLE)].sort();

let log: TestLog;
let otherWorkspaceId: string;

beforeAll(async () => {
  log = await openTestLog();
  otherWorkspaceId = await fillEveryTable(log);
});

afterAll(async () => {
  await log.close();
});

/** Runs in a transaction that sees one workspace, or none, and is undone. */
async function within<T>(
  pool: pg.Pool,
  workspaceId: string | null,
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    if (workspaceId !== null)
      await client.query(`select set_config('answer_evidence.workspace_id', $1, true)`, [workspaceId]);
    return await run(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** How PostgreSQL calls the types of columns. */
const UDT_NAMES: Readonly<Record<ColumnType, string>> = {
  uuid: 'uuid',
  text: 'text',
  bigint: 'int8',
  integer: 'int4',
  bytea: 'bytea',
  boolean: 'bool',
};
const DENIED = '42501';
const REFUSED_BY_TRIGGER = '23001';

describe('every table', () => {
  it('is classified, so that a new one must be', async () => {
    const { rows } = await log.owner.query<{ tablename: string }>(
      `select tablename from pg_tables where schemaname = 'answer_evidence' order by tablename`,
    );
    expect(rows.map((row) => row.tablename)).toEqual([...OF_A_WORKSPACE, ...INSTALLATION, ...LOGIN_TABLES].sort());
  });

  it('of a workspace has the columns, types and key of the catalogue, and no other', async () => {
    const { rows } = await log.owner.query<{ name: string; field: string; type: string; nullable: boolean }>(
      `select table_name as name, column_name as field, udt_name as type, is_nullable = 'YES' as nullable
         from information_schema.columns where table_schema = 'answer_evidence' and column_name <> 'workspace_id'
           and table_name = any($1) order by 1, 2`,
      [OF_A_WORKSPACE],
    );
    const stored = rows.map((row) => `${row.name}.${row.field} ${row.type}${row.nullable ? ' null' : ''}`);
    const described = CATALOGUE.flatMap(({ name, columns, types, authenticated }) => [
      ...columns.map((column) => {
        const { type, nullable } = types[column] as Column;
        return `${name}.${column} ${UDT_NAMES[type]}${nullable ? ' null' : ''}`;
      }),
      ...(authenticated ? [`${name}.mac bytea null`] : []),
    ]);
    const others = [...SET_BY_THE_RELAY, ...SET_BY_THE_DATABASE];
    expect(stored.filter((line) => !others.includes(line.split(' ')[0] ?? '')).sort()).toEqual(described.sort());
    const keys = await log.owner.query<{ name: string; key: readonly string[] }>(
      `select c.relname as name, array(select a.attname::text from unnest(i.indkey) with ordinality as k (n, at)
                join pg_attribute a on a.attrelid = c.oid and a.attnum = k.n order by k.at) as key
         from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
         where i.indisprimary and n.nspname = 'answer_evidence' and c.relname = any($1) order by c.relname`,
      [OF_A_WORKSPACE],
    );
    const expectedKeys = CATALOGUE.map(({ name, key }) => ({ name, key: ['workspace_id', ...key] }));
    expect(keys.rows).toEqual(expectedKeys.sort((a, b) => (a.name < b.name ? -1 : 1)));
  });

  it('of a workspace begins its key with it and has row-level security, forced', async () => {
    const { rows } = await log.owner.query<{ name: string; forced: boolean; first: string }>(
      `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
              (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
                 where i.indrelid = c.oid and i.indisprimary) as first
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'answer_evidence' and c.relkind in ('r', 'p') and c.relname <> all($1::text[])
         order by c.relname`,
      [[...INSTALLATION, ...LOGIN_TABLES]],
    );
    expect(rows).toEqual(OF_A_WORKSPACE.map((name) => ({ name, forced: true, first: 'workspace_id' })));
  });

  it('has rows in this test, so that what follows says something', async () => {
    for (const table of OF_A_WORKSPACE) {
      const { rows } = await log.owner.query<{ n: number }>(`select count(*) as n from answer_evidence.${table}`);
      expect([table, (rows[0]?.n ?? 0) > 0]).toEqual([table, true]);
    }
  });
});

describe('the service’s role', () => {
  it('has exactly these privileges', async () => {
    const { rows } = await log.owner.query<{ name: string; privileges: string }>(
      `select table_name as name, string_agg(privilege_type, ' ' order by privilege_type) as privileges
         from information_schema.role_table_grants
         where grantee = 'answer_evidence_app' and table_schema = 'answer_evidence' group by table_name order by 1`,
    );
    const expected = [
      ...[...INSERT_ONLY, ...INSTALLATION].map((name) => ({ name, privileges: 'INSERT SELECT' })),
      ...LOGIN_TABLES.map((name) => ({ name, privileges: 'DELETE INSERT SELECT' })),
      ...Object.entries(MUTABLE).map(([name, [privileges]]) => ({ name, privileges })),
    ].sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(rows).toEqual(expected);
    const columns = await log.owner.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.column_privileges
         where grantee = 'answer_evidence_app' and privilege_type = 'UPDATE' and table_name = any($1) order by name`,
      [
        ['dead_letters', 'evidence_dues', 'evidence_purges', 'member_credentials', 'members', 'sealed_contents'].concat(
          ['provider_links'],
          ['console_sessions', 'token_uses', 'tokens'],
          INSTALLATION,
          LOGIN_TABLES,
        ),
      ],
    );
    expect(columns.rows.map(({ name }) => name)).toEqual([
      ...['clock_marks.confirmations', 'clock_marks.passed_at'],
      'console_sessions.used_at',
      'dead_letters.replayed_at',
      ...['credential_entry_id', 'interval_seconds', 'mac', 'member_id', 'polled_at', 'status', 'token_id'].map(
        (name) => `device_logins.${name}`,
      ),
      'erasures.sealed',
      ...['evidence_dues.due_at', 'evidence_dues.mac', 'evidence_purges.deleted_at', 'evidence_purges.mac'],
      ...['installation.mac', 'installation.token_keys', 'installation.workspaces'],
      ...['login_places.last_at', 'login_tries.free_at'],
      ...['entry_id', 'link_expires_at', 'link_hash', 'mac', 'password_hash'].map(
        (name) => `member_credentials.${name}`,
      ),
      ...['access_json', 'disabled_at', 'removed_at', 'role', 'role_source', 'version'].map(
        (name) => `members.${name}`,
      ),
      ...['entry_id', 'issuer', 'mac', 'subject'].map((name) => `provider_links.${name}`),
      'sealed_contents.due_at',
      'token_signing_keys.mac',
      'token_uses.last_used_at',
      'tokens.cut_at',
      'tokens.overlap_until',
      'tokens.revoked_at',
      'workspaces.mac',
    ]);
  });

  it.each(INSERT_ONLY)('cannot update, delete or empty %s', async (table) => {
    for (const sql of [
      `update answer_evidence.${table} set workspace_id = workspace_id`,
      `delete from answer_evidence.${table}`,
      `truncate answer_evidence.${table}`,
    ]) {
      expect([sql, await codeOf(within(log.pool, log.workspace.id, (client) => client.query(sql)))]).toEqual([
        sql,
        DENIED,
      ]);
    }
  });

  it('cannot empty any table, nor take triggers away', async () => {
    for (const table of [...OF_A_WORKSPACE, ...INSTALLATION, ...LOGIN_TABLES]) {
      const request = within(log.pool, log.workspace.id, (client) =>
        client.query(`truncate answer_evidence.${table} cascade`),
      );
      expect([table, await codeOf(request)]).toEqual([table, DENIED]);
      const disable = within(log.pool, log.workspace.id, (client) =>
        client.query(`alter table answer_evidence.${table} disable trigger all`),
      );
      expect([table, await codeOf(disable)]).toEqual([table, DENIED]);
    }
    const replica = within(log.pool, null, (client) => client.query('set local session_replication_role = replica'));
    expect(await codeOf(replica)).toBe(DENIED);
  });
});

describe('the owner', () => {
  it.each(INSERT_ONLY)('is refused every change of %s by triggers', async (table) => {
    for (const sql of [
      `update answer_evidence.${table} set workspace_id = workspace_id`,
      `delete from answer_evidence.${table}`,
      `truncate answer_evidence.${table}`,
    ]) {
      const code = await codeOf(within(log.owner, log.workspace.id, (client) => client.query(sql)));
      expect([sql, code]).toEqual([sql, REFUSED_BY_TRIGGER]);
    }
  });

  it('can do nothing to a token but revoke it, once', async () => {
    const run = (...sql: readonly string[]) =>
      codeOf(
        within(log.owner, log.workspace.id, async (client) => {
          for (const statement of sql) await client.query(statement);
        }),
      );
    const revoke = 'update answer_evidence.tokens set revoked_at = 5';
    expect(await run(revoke)).toBe('done');
    expect(await run(revoke, 'update answer_evidence.tokens set revoked_at = 6')).toBe(REFUSED_BY_TRIGGER);
    expect(await run(revoke, 'update answer_evidence.tokens set revoked_at = null')).toBe(REFUSED_BY_TRIGGER);
    expect(await run(`update answer_evidence.tokens set revoked_at = 5, name = 'x'`)).toBe(REFUSED_BY_TRIGGER);
    expect(await run('update answer_evidence.tokens set expires_at = expires_at + 1')).toBe(REFUSED_BY_TRIGGER);
    expect(await run('delete from answer_evidence.tokens')).toBe(REFUSED_BY_TRIGGER);
    const rotate = 'update answer_evidence.tokens set revoked_at = 5, overlap_until = 9';
    const cut = (at: number) => `update answer_evidence.tokens set cut_at = ${at}`;
    expect(await run(rotate, cut(7))).toBe('done');
    expect(await run(rotate, cut(7), cut(8))).toBe(REFUSED_BY_TRIGGER);
    expect(await run(rotate, 'update answer_evidence.tokens set overlap_until = 10')).toBe(REFUSED_BY_TRIGGER);
    expect(await run(revoke, 'update answer_evidence.tokens set overlap_until = 10')).toBe(REFUSED_BY_TRIGGER);
    expect(await run(revoke, cut(7))).toBe(REFUSED_BY_TRIGGER);
    expect(await run(rotate, cut(9))).toBe('23514');
  });
});

describe('row-level security', () => {
  it.each(OF_A_WORKSPACE)('shows of %s nothing without a workspace, and with one only its rows', async (table) => {
    const idsIn = (workspaceId: string | null) =>
      within(log.pool, workspaceId, async (client) => {
        const { rows } = await client.query<{ id: string }>(
          `select distinct workspace_id as id from answer_evidence.${table}`,
        );
        return rows.map((row) => row.id);
      });
    expect(await idsIn(null)).toEqual([]);
    expect(await idsIn('')).toEqual([]);
    expect(await idsIn(log.workspace.id)).toEqual([log.workspace.id]);
    expect([[], [otherWorkspaceId]]).toContainEqual(await idsIn(otherWorkspaceId));
  });

  it.each(OF_A_WORKSPACE)('refuses a row of another workspace in %s', async (table) => {
    const { rows: columns } = await log.owner.query<{ name: string }>(
      `select column_name as name from information_schema.columns
         where table_schema = 'answer_evidence' and table_name = $1 and column_name <> 'workspace_id'
           and is_generated = 'NEVER'`,
      [table],
    );
    const names = columns.map(({ name }) => name).join(', ');
    const copyInto = (into: string) =>
      codeOf(
        within(log.pool, log.workspace.id, (client) =>
          client.query(
            `insert into answer_evidence.${table} (workspace_id, ${names})
               select $1, ${names} from answer_evidence.${table} limit 1`,
            [into],
          ),
        ),
      );
    expect(await copyInto(otherWorkspaceId)).toBe(DENIED);
    // Into its own workspace, only the key stands in the way of the same row, where the service inserts at all.
    const mayInsert = MUTABLE[table]?.[0].includes('INSERT') ?? true;
    expect(await copyInto(log.workspace.id)).toBe(mayInsert ? '23505' : DENIED);
  });

  it('lets a token be found by its id alone, and nothing else of its workspace with it', async () => {
    const { rows } = await log.owner.query<{ id: string }>('select id from answer_evidence.tokens');
    const visible = (tokenId: string) =>
      within(log.pool, null, async (client) => {
        await client.query(`select set_config('answer_evidence.token_id', $1, true)`, [tokenId]);
        const counts = await Promise.all(
          OF_A_WORKSPACE.map(async (table) => {
            const found = await client.query<{ n: number }>(`select count(*) as n from answer_evidence.${table}`);
            return [table, found.rows[0]?.n] as const;
          }),
        );
        return counts.filter(([, n]) => n !== 0);
      });
    expect(await visible(rows[0]?.id ?? '')).toEqual([['tokens', 1]]);
    expect(await visible(log.workspace.id)).toEqual([]);
  });
});
