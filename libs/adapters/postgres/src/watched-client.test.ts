import { expect, it } from '@jest/globals';
import { openTestDatabase } from '@answer-evidence/testing';
import { socketOf } from './append/send-transaction.ts';
import { openPool } from './pool.ts';

it('sends what is asked in one turn in one write, and the answers come in the order of the questions', async () => {
  const database = await openTestDatabase();
  const pool = openPool({ url: database.url, role: 'owner', connectionsMax: 1, onError: () => undefined });
  try {
    const client = await pool.connect();
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
    client.release();
  } finally {
    await pool.end();
    await database.close();
  }
});
