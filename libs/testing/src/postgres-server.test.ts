import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { openTestPostgres, startTestPostgres } from './postgres-server.ts';

async function query(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(sql);
    return result.rows[0];
  } finally {
    await client.end();
  }
}

describe('openTestPostgres', () => {
  it('gives every test file the server of the run, which outlives a close', async () => {
    const first = await openTestPostgres();
    await first.close();
    const second = await openTestPostgres();
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'select rolsuper from pg_roles where rolname = current_user')).toEqual({
      rolsuper: true,
    });
  });
});

describe('startTestPostgres', () => {
  it('starts a server of its own, which ends with its close', async () => {
    const shared = await openTestPostgres();
    const own = await startTestPostgres();
    expect(own.url).not.toBe(shared.url);
    expect(await query(own.url, 'select 1 as one')).toEqual({ one: 1 });
    await own.close();
    await expect(query(own.url, 'select 1 as one')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
