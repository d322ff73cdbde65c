import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { migrate } from '@answer-evidence/postgres';
import { openTestDatabase } from './test-database.ts';

async function query(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('openTestDatabase', () => {
  it('gives a database with the newest schema and nothing in it, which no other test file sees', async () => {
    const [one, other] = [await openTestDatabase(), await openTestDatabase()];
    expect(await migrate(one.url)).toEqual([]);
    await query(one.url, "insert into answer_evidence.erasures (xid) values ('1')");
    expect(await query(one.url, 'select from answer_evidence.erasures')).toHaveLength(1);
    expect(await query(other.url, 'select from answer_evidence.erasures')).toHaveLength(0);
    await one.close();
    await expect(query(one.url, 'select 1')).rejects.toMatchObject({ code: '3D000' });
    expect(await query(other.url, 'select 1')).toHaveLength(1);
    await other.close();
  });
});
