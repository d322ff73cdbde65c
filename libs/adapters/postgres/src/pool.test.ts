import { expect, it } from '@jest/globals';
import { openTestDatabase } from '@answer-evidence/testing';
import { openPool } from './pool.ts';
import { countServiceConnections } from './service-connections.ts';

it('takes its role and its name whatever the URL asks for, and what the URL asks for besides', async () => {
  const database = await openTestDatabase();
  const url = new URL(database.url);
  url.searchParams.set('options', '-c work_mem=5MB -c statement_timeout=0 -c role=none');
  url.searchParams.set('application_name', 'somebody else');
  const onError = () => undefined;
  const pool = openPool({ url: url.href, role: 'answer_evidence_app', connectionsMax: 1, onError });
  const names = ['role', 'statement_timeout', 'search_path', 'work_mem', 'application_name'];
  const { rows } = await pool.query<Record<string, string>>(
    `select current_user as "user", ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`,
  );
  expect(rows).toEqual([
    {
      user: 'answer_evidence_app',
      role: 'answer_evidence_app',
      statement_timeout: '10s',
      search_path: 'answer_evidence',
      work_mem: '5MB',
      application_name: 'answer-evidence',
    },
  ]);
  expect(await countServiceConnections(database.url)).toBe(1);
  await pool.end();
  await database.close();
});
