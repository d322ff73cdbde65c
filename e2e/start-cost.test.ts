import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { TILE_WIDTH } from '@answer-evidence/merkle';
import { createWorkspaceWithManager } from '../libs/runtime/src/open/first-workspace.ts';
import { until } from '../tools/scenery/service-process.ts';
import { openStoresOn } from '../tools/scenery/stores-on.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { fillTile } from './support/rich-workspace.ts';

const WORKSPACES = 40;
const RECORDS = 600;
/** More than starts of one installation differ by, such as by how many connections they open. */
const NOISE = 60;

let owner: TestService;
let restore: () => void;
const asked = { statements: 0, rows: 0 };

/** Counts what the services of this process ask PostgreSQL, and how many rows they get. */
function countStatements(): () => void {
  const { prototype } = pg.Client;
  const original = Object.getOwnPropertyDescriptor(prototype, 'query');
  if (original === undefined) throw new Error('pg has no query to be counted');
  const query = original.value as (...parameters: unknown[]) => unknown;
  Object.defineProperty(prototype, 'query', {
    ...original,
    value(this: unknown, ...parameters: unknown[]) {
      asked.statements += 1;
      const answer = query.apply(this, parameters);
      if (answer instanceof Promise)
        answer.then(
          ({ rows }: pg.QueryResult) => (asked.rows += rows.length),
          () => undefined,
        );
      return answer;
    },
  });
  return () => void Object.defineProperty(prototype, 'query', original);
}

beforeAll(async () => {
  owner = await openTestService();
  const settings = { answer_audit_accept_caller_hash: true, answer_audit_reading_rule: 'open' };
  expect((await owner.call('PATCH', '/api/tenant/settings', { body: settings })).status).toBe(200);
  await addWorkspaces('a');
  await owner.stop();
  restore = countStatements();
}, 120_000);
afterAll(async () => {
  restore();
  await owner.close();
});

async function addWorkspaces(prefix: string): Promise<void> {
  const { stores } = await openStoresOn(owner);
  for (let n = 0; n < WORKSPACES; n++) {
    const slug = `${prefix}-${n}`;
    const wanted = { slug, displayName: slug, username: 'max' };
    await createWorkspaceWithManager(stores, 'http://127.0.0.1:8080', wanted, join(owner.dataDir, `${slug}.yaml`));
  }
  await stores.close();
}

/** Starts until nothing is left that a start before has not published or counted. */
async function settle(): Promise<void> {
  const service = await openTestService({ share: owner });
  const client = new pg.Client({ connectionString: owner.databaseUrl });
  await client.connect();
  await until('everything to be published and counted', async () => {
    const { rows } = await client.query<{ left: number }>(
      `select count(*)::int as left from answer_evidence.ledger_heads h where h.tree_size is distinct from
         (select max(tree_size) from answer_evidence.published_checkpoints p where p.workspace_id = h.workspace_id)
         or h.tree_size is distinct from
         (select max(tree_size) from answer_evidence.counted_logs c where c.workspace_id = h.workspace_id)`,
    );
    return rows[0]?.left === 0;
  });
  await client.end();
  await service.stop();
}

/** What the next start asks until it is ready. */
async function costOfStart(): Promise<typeof asked> {
  await settle();
  Object.assign(asked, { statements: 0, rows: 0 });
  const service = await openTestService({ share: owner });
  const cost = { ...asked };
  await service.stop();
  expect(cost.statements).toBeGreaterThan(NOISE);
  return cost;
}

it('a start asks as much with more workspaces, and with more records', async () => {
  const before = await costOfStart();
  await addWorkspaces('b');
  const withWorkspaces = await costOfStart();
  expect(withWorkspaces.statements - before.statements).toBeLessThan(NOISE);
  const service = await openTestService({ share: owner });
  await fillTile(service, RECORDS);
  await service.stop();
  const withRecords = await costOfStart();
  expect(withRecords.statements - withWorkspaces.statements).toBeLessThan(NOISE);
  // The leaves of a tile that is not full are read for the root.
  expect(withRecords.rows - withWorkspaces.rows).toBeLessThan(TILE_WIDTH + NOISE);
}, 240_000);

it('a log that the start has left for later ends the process when it turns out not to be as it was signed', async () => {
  const client = new pg.Client({ connectionString: owner.databaseUrl });
  await client.connect();
  await client.query('set session_replication_role = replica');
  const { rowCount } = await client.query(
    `update answer_evidence.ledger_heads h set right_edge = sha256(right_edge) from answer_evidence.workspaces w
       where w.slug = 'a-${WORKSPACES - 1}' and h.workspace_id = w.id`,
  );
  await client.end();
  expect(rowCount).toBe(1);
  const service = await openTestService({ share: owner });
  await until('the end of the process', () => service.reports.some((line) => line.startsWith('fatal: ')));
  expect(service.reports.find((line) => line.startsWith('fatal: '))).toMatch(/ledger/);
  await service.stop();
}, 120_000);
