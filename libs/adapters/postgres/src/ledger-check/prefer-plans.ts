import type { Query } from '../session.ts';

/**
 * How a transaction's statements are planned. Without statistics, or with old ones, PostgreSQL takes a whole table for
 * a few rows of it, or asks an index for each row of a whole table; what is read here is known beforehand.
 */
type Preference = Readonly<Record<string, string>>;

const BY_INDEX: Preference = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_nestloop: 'on',
  // Compiling a plan takes longer than a few hundred rows do.
  jit: 'off',
};

const BY_WHOLE_TABLES: Preference = {
  enable_seqscan: 'on',
  enable_hashjoin: 'on',
  enable_mergejoin: 'off',
  enable_nestloop: 'off',
  jit: 'off',
  work_mem: '64MB',
};

/** From here on each statement reads a few rows by their keys. */
export function preferIndexes(query: Query): Promise<void> {
  return prefer(query, BY_INDEX);
}

/** From here on each statement compares whole tables. */
export function preferWholeTables(query: Query): Promise<void> {
  return prefer(query, BY_WHOLE_TABLES);
}

async function prefer(query: Query, preference: Preference): Promise<void> {
  await query(
    '',
    'select set_config(name, value, true) from unnest($1::text[], $2::text[]) as preferred (name, value)',
    [Object.keys(preference), Object.values(preference)],
  );
}
