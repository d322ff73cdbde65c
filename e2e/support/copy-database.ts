import pg from 'pg';
import { until } from '../../tools/scenery/service-process.ts';

let copies = 0;

/** PostgreSQL has waited five seconds for connections to end, which a busy machine takes its time for. */
const IN_USE = '55006';

/** The URL of a copy of a database that nobody opens at the moment. */
export async function copyDatabase(url: string): Promise<string> {
  const copy = new URL(url);
  const admin = new URL(url);
  admin.pathname = '/postgres';
  copies += 1;
  const name = `older_${process.pid}_${Date.now()}_${copies}`;
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  await until('the copy of the database', () =>
    client.query(`create database "${name}" template "${copy.pathname.slice(1)}"`).then(
      () => true,
      (error: { code?: string }) => (error.code === IN_USE ? false : Promise.reject(error as Error)),
    ),
  );
  await client.end();
  copy.pathname = `/${name}`;
  return copy.href;
}
