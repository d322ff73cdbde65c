import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { citusVariable, openEmptyDatabase, openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { migrate } from '../migrate.ts';
import { openPool } from '../pool.ts';
import { checkDistribution, distribute } from './distribute.ts';
import { moveWorkspace } from './move-workspace.ts';
import { NodeQuestions } from './node-questions.ts';

const hasNodes = process.env[citusVariable] !== undefined;
let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const onNodes = hasNodes ? it : it.skip;
const onOneServer = hasNodes ? it.skip : it;

onOneServer('says of a server without Citus what it lacks, and changes nothing', async () => {
  const plan = await distribute(database.url, { shards: 4, onStep: () => expect('no step').toBe('taken') });
  expect(plan).toMatchObject({ nodes: [], steps: [] });
  expect(plan.obstacles).toEqual([expect.stringContaining('create extension citus')]);
  expect(await checkDistribution(database.url)).toEqual(plan);
});

onOneServer('moves nothing that is on one server, nor what is not there', async () => {
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`insert into answer_evidence.workspaces
    (id, slug, display_name, log_id, origin, vkey, wrapped_key, wrapped_ledger_seed, created_at)
    values (gen_random_uuid(), 'acme', 'Acme', gen_random_uuid(), 'log.example/acme', 'v', '', '', 1)`);
  await owner.end();
  expect(await moveWorkspace(database.url, 'nobody', '127.0.0.1:1')).toEqual({ kind: 'no-workspace' });
  expect(await moveWorkspace(database.url, 'acme', '127.0.0.1:1')).toEqual({ kind: 'not-spread' });
});

onNodes('asks a database that has Citus, and whose tables nobody has spread, like any other', async () => {
  const empty = await openEmptyDatabase();
  const pool = openPool({ url: empty.url, role: 'owner', connectionsMax: 1, onError: () => undefined });
  await migrate(empty.url);
  const asked = { name: 'heads', text: 'select count(*)::int as heads from answer_evidence.ledger_heads' };
  expect((await new NodeQuestions().ask(pool, [asked])).get('heads')).toEqual([{ heads: 0 }]);
  await pool.end();
  await empty.close();
});

onNodes('has nothing left to do where every table is at its place', async () => {
  const plan = await checkDistribution(database.url);
  expect(plan.nodes.length).toBeGreaterThan(1);
  expect(plan).toMatchObject({ obstacles: [], steps: [] });
});
