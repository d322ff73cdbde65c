import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openTenants, type Tenant } from '../tools/scenery/tenants.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';

let service: TestService;
/** Tables whose rows belong to no workspace when they are looked up, and why that is safe. */
const NO_WORKSPACE_YET: Readonly<Record<string, string>> = {
  device_logins: 'found by the hash of a secret code, before anybody said whose they are; sealed, and under a MAC',
};

let ours: Tenant;
let theirs: Tenant;
let owner: pg.Client;
let tables: readonly string[];

beforeAll(async () => {
  service = await openTestService();
  ({ ours, theirs } = await openTenants(service));
  await service.stop();
  owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
  const { rows } = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.columns
       where table_schema = 'answer_evidence' and column_name = 'workspace_id' and table_name <> all ($1) order by 1`,
    [Object.keys(NO_WORKSPACE_YET)],
  );
  tables = rows.map(({ name }) => name);
}, 60_000);
afterAll(async () => {
  await owner.end();
  await service.close();
});

/** Rows of the other tenant that a query which forgot to name a workspace sees, as the service's role. */
async function countLeaked(table: string, workspaceId: string): Promise<number> {
  await owner.query('begin');
  try {
    await owner.query('set local role answer_evidence_app');
    await owner.query(`select set_config('answer_evidence.workspace_id', $1, true)`, [workspaceId]);
    const { rows } = await owner.query<{ leaked: string }>(
      `select count(*) as leaked from answer_evidence.${table} where workspace_id = $1`,
      [theirs.workspaceId],
    );
    return Number(rows[0]?.leaked);
  } finally {
    await owner.query('rollback');
  }
}

async function countLeaks(workspaceId: string): Promise<Readonly<Record<string, number>>> {
  const leaks: Record<string, number> = {};
  for (const table of tables) {
    const leaked = await countLeaked(table, workspaceId);
    if (leaked > 0) leaks[table] = leaked;
  }
  return leaks;
}

describe('row-level security', () => {
  it('is forced, owner included, on every table that has a workspace', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'answer_evidence'::regnamespace
         and relrowsecurity and relforcerowsecurity order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(tables);
    expect(tables.length).toBeGreaterThan(10);
  });

  it.each([
    ['no workspace', () => ''],
    ['another workspace', () => ours.workspaceId],
  ])('shows a wrong query no row of a tenant with %s set', async (_name, workspaceId) => {
    expect(await countLeaks(workspaceId())).toEqual({});
  });

  it('shows the tenant its own rows, so that the empty answers above are the fence’s doing', async () => {
    const seen = await countLeaks(theirs.workspaceId);
    expect(seen).toMatchObject({ answer_records: 4, ledger_heads: 1, members: 4, sealed_contents: 4 });
  });

  it('refuses to write a row into another workspace', async () => {
    await owner.query('begin');
    try {
      await owner.query('set local role answer_evidence_app');
      await owner.query(`select set_config('answer_evidence.workspace_id', $1, true)`, [ours.workspaceId]);
      const insert = `insert into answer_evidence.record_states (workspace_id, record_id, status) values ($1, $2, 'voided')`;
      const write = owner.query(insert, [theirs.workspaceId, theirs.target.recordId]);
      await expect(write).rejects.toMatchObject({ code: '42501' });
    } finally {
      await owner.query('rollback');
    }
  });

  it('is what keeps the rows hidden: without it the same wrong queries see them', async () => {
    for (const table of tables) await owner.query(`alter table answer_evidence.${table} disable row level security`);
    try {
      const leaks = await countLeaks(ours.workspaceId);
      expect(leaks).toMatchObject({ answer_records: 4, ledger_heads: 1, members: 4, sealed_contents: 4 });
      expect(await countLeaks('')).toEqual(leaks);
    } finally {
      for (const table of tables) await owner.query(`alter table answer_evidence.${table} enable row level security`);
    }
    expect(await countLeaks(ours.workspaceId)).toEqual({});
  });
});
