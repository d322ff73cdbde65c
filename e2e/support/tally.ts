import pg from 'pg';
import { findSplitPlace } from '../../tools/scenery/split-place.ts';
import type { TestService } from '../../tools/scenery/test-service.ts';

/** How many rows every table holds: equal before and after a request that was refused whole. */
export type Tally = Readonly<Record<string, number>>;

/**
 * What the service writes unasked: checkpoints every second or two, counts for the overview, and once a minute the
 * tokens that were used.
 */
const BY_ITSELF = [
  ...['published_checkpoints', 'trust_tallies', 'token_uses'],
  ...['counted_lists', 'counted_logs', 'counted_runs', 'daily_counts'],
  ...['word_indexes', 'word_tokens', 'ledger_checks'],
  ...['notifications', 'notification_deliveries', 'notification_conditions', 'notification_places'],
];

/**
 * Counts rows as a superuser: those of the workspace where a table has such, and all others unless other test files use
 * the same database. Anyone who opens it closes it.
 */
export async function openTally(service: TestService): Promise<{ count(): Promise<Tally>; close(): Promise<void> }> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  const { id } = (await service.call('GET', '/api/whoami')).body.workspace;
  const ofWorkspace = `where workspace_id = ${client.escapeLiteral(id)}`;
  const { rows } = await client.query<{ name: string; has_workspace: boolean }>(
    `select t.table_name as name, exists (select from information_schema.columns c where c.table_schema = t.table_schema
         and c.table_name = t.table_name and c.column_name = 'workspace_id') as has_workspace
       from information_schema.tables t
       where table_schema = 'answer_evidence' and table_name <> all($1::text[]) order by 1`,
    [BY_ITSELF],
  );
  const isShared = findSplitPlace() !== undefined;
  const counts = rows
    .filter(({ has_workspace: has }) => has || !isShared)
    .map(({ has_workspace: has, name }) => {
      const counted = `select '${name}' as name, count(*)::int as rows from answer_evidence.${name}`;
      return has ? `${counted} ${ofWorkspace}` : counted;
    });
  // The head is one row for ever, so its size stands for it.
  const size = `select 'tree size', sum(tree_size)::int from answer_evidence.ledger_heads ${ofWorkspace}`;
  const sql = [...counts, size].join(' union all ');
  return {
    async count() {
      const counted = await client.query<{ name: string; rows: number }>(sql);
      return Object.fromEntries(counted.rows.map((row) => [row.name, row.rows]));
    },
    close: () => client.end(),
  };
}
