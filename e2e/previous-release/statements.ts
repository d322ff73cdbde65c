import type pg from 'pg';

/** What a release sends to the database, by the role that sends it. */
export type ReleasedStatements = {
  readonly release: string;
  /** The types of the columns that it knows. */
  readonly columns: Readonly<Record<string, string>>;
  readonly statements: Readonly<Record<string, readonly string[]>>;
};

/** The statements of the last release. */
export const FILE = new URL('statements.json', import.meta.url);

/**
 * Whether PostgreSQL makes a plan for a statement, which it does not for `begin` and `set`. Those of the queue begin
 * with a comment: they have a schema of their own, which the queue's package migrates.
 */
export function isPlanned(text: string): boolean {
  return /^\s*(?:select|insert|update|delete|with)\b/i.test(text);
}

/** The type of each column of the schema. */
export async function readColumns(client: Pick<pg.ClientBase, 'query'>): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select relname || '.' || attname as name, format_type(atttypid, atttypmod) as type
       from pg_attribute join pg_class on pg_class.oid = attrelid
       where relnamespace = 'answer_evidence'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
       order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]));
}
