import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type pg from 'pg';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { markSpread, statementFor } from '../workspace-setting.ts';
import { ColumnArray, type Statement } from './insert-rows.ts';
import { sendTransaction } from './send-transaction.ts';

const WORKSPACE = randomUUID();

let log: TestLog;
let client: pg.PoolClient;
beforeAll(async () => {
  log = await openTestLog();
  await log.owner.query('create table answer_evidence.kept (workspace_id uuid, name text, about text)');
  client = await log.owner.connect();
  markSpread(client, true);
});
afterAll(async () => {
  client.release(true);
  await log.close();
});

/** Keeps which workspace the transaction is about. */
const keep = (name: string): Statement => ({
  name: 'keep',
  text: `insert into answer_evidence.kept values ($1, $2, current_setting('answer_evidence.workspace_id'))`,
  values: [WORKSPACE, name],
});
const FAILING: Statement = { name: 'fail', text: 'select 1 / $1::int', values: [0] };

const kept = async () =>
  (await log.owner.query<{ name: string; about: string }>('select name, about from answer_evidence.kept order by name'))
    .rows;

it('commits what is sent to nodes as one block, which names the workspace', async () => {
  await sendTransaction(client, WORKSPACE, [keep('one'), keep('two')]);
  expect(await kept()).toEqual(['one', 'two'].map((name) => ({ name, about: WORKSPACE })));
  await log.owner.query('truncate answer_evidence.kept');
});

it('keeps nothing of a block with a statement that fails, and leaves no transaction open', async () => {
  await expect(sendTransaction(client, WORKSPACE, [keep('one'), FAILING, keep('two')])).rejects.toThrow('division');
  expect(await kept()).toEqual([]);
  const { rows } = await client.query('select pg_current_xact_id_if_assigned() as xid, now() <> $1 as is_new', [
    (await client.query<{ now: Date }>('select now()')).rows[0]?.now,
  ]);
  expect(rows).toEqual([{ xid: null, is_new: true }]);
});

it('sends rows as values to a server that takes none of what an insert selects', async () => {
  const rows = [{ name: 'one' }, { name: 'two' }];
  const selected: Statement = {
    name: 'selected',
    text: 'insert into answer_evidence.kept (name) select unnest($1::text[])',
    values: [new ColumnArray(rows, 'name', 'text')],
    inValues: () => rows.map(({ name }) => keep(name)),
  };
  await sendTransaction(client, WORKSPACE, [selected]);
  expect((await kept()).map(({ about }) => about)).toEqual([WORKSPACE, WORKSPACE]);
});

it('refuses a workspace that is no UUID, since set takes no parameter', async () => {
  await expect(sendTransaction(client, `' ; drop table x`, [])).rejects.toThrow(TypeError);
});

it('has rows returned that an insert selects, on nodes alone', () => {
  const selects = 'insert into t (a) select b from s';
  const plain = { query: () => undefined } as unknown as pg.ClientBase;
  expect(statementFor(client, selects)).toBe(`${selects} returning true`);
  expect(statementFor(client, `with s as (select 1) ${selects}`)).toBe(
    `with s as (select 1) ${selects} returning true`,
  );
  expect(statementFor(plain, selects)).toBe(selects);
  for (const text of ['insert into t values ($1)', `${selects} on conflict do nothing`, 'select 1', 'delete from t'])
    expect(statementFor(client, text)).toBe(text);
});
