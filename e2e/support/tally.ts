import pg from 'pg';

/** How many rows every table holds: equal before and after a request that was refused whole. */
export type Tally = Readonly<Record<string, number>>;

/** What the service writes unasked: checkpoints every second or two, and once a minute the tokens that were used. */
const BY_ITSELF = ['published_checkpoints', 'trust_tallies', 'token_uses'];

/** Counts rows as a superuser; anyone who opens it closes it. */
export async function openTally(databaseUrl: string): Promise<{ count(): Promise<Tally>; close(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables
       where table_schema = 'answer_evidence' and table_name <> all($1::text[]) order by 1`,
    [BY_ITSELF],
  );
  const counts = rows.map(({ name }) => `select '${name}' as name, count(*)::int as rows from answer_evidence.${name}`);
  // The head is one row for ever, so its size stands for it.
  const sql = [...counts, `select 'tree size', sum(tree_size)::int from answer_evidence.ledger_heads`].join(
    ' union all ',
  );
  return {
    async count() {
      const counted = await client.query<{ name: string; rows: number }>(sql);
      return Object.fromEntries(counted.rows.map((row) => [row.name, row.rows]));
    },
    close: () => client.end(),
  };
}
