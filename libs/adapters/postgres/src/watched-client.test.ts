import { expect, it } from '@jest/globals';
import type pg from 'pg';
import { openTestDatabase } from '@answer-evidence/testing';
import { sendRest, socketOf } from './append/send-transaction.ts';
import { openPool } from './pool.ts';
import { WatchedClient } from './watched-client.ts';

async function withClient(use: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const database = await openTestDatabase();
  const pool = openPool({ url: database.url, role: 'owner', connectionsMax: 1, onError: () => undefined });
  try {
    const client = await pool.connect();
    await use(client);
    client.release();
  } finally {
    await pool.end();
    await database.close();
  }
}

it('sends what is asked in one turn in one write, and the answers come in the order of the questions', () =>
  withClient(async (client) => {
    const socket = socketOf(client);
    const answers = [
      client.query('begin read only'),
      client.query('select $1::int as n', [1]),
      client.query('select $1::int as n', ['no number']).catch(() => ({ rows: 'refused' })),
      client.query('rollback'),
      client.query('select 2 as n'),
    ];
    const heldWhileAsked = socket.writableCorked;
    await new Promise((resolve) => process.nextTick(resolve));
    expect([heldWhileAsked, socket.writableCorked]).toEqual([1, 0]);
    expect((await Promise.all<{ rows: unknown }>(answers)).map(({ rows }) => rows)).toEqual([
      [],
      [{ n: 1 }],
      'refused',
      [],
      [{ n: 2 }],
    ]);
  }));

it('holds a transaction of the log back for nothing else of its turn', () =>
  withClient(async (client) => {
    const sent = sendRest(client, [{ name: 'test_select', text: 'select 1', values: [] }]);
    expect(socketOf(client).writableCorked).toBe(0);
    await sent;
  }));

it('closes a connection whose login fails on this side', async () => {
  const database = await openTestDatabase();
  const url = new URL(database.url);
  url.password = '';
  const client = new WatchedClient({ connectionString: url.href, answerMsMax: 1_000 });
  await expect(client.connect()).rejects.toThrow(/password must be/);
  expect(socketOf(client).destroyed).toBe(true);
  await database.close();
});
