import pg from 'pg';

let copies = 0;

/** The URL of a copy of a database that nobody uses at the moment. */
export async function copyDatabase(url: string): Promise<string> {
  const copy = new URL(url);
  const admin = new URL(url);
  admin.pathname = '/postgres';
  copies += 1;
  const name = `older_${process.pid}_${Date.now()}_${copies}`;
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  await client.query(`create database "${name}" template "${copy.pathname.slice(1)}"`);
  await client.end();
  copy.pathname = `/${name}`;
  return copy.href;
}
