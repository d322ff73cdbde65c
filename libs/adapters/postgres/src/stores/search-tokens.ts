import { parseTimestamp } from '@answer-evidence/encoding';
import type { FoundByTokens, WordSearchFilters } from '@answer-evidence/ports';
import type { Query } from '../session.ts';

/** Of the rarest word, so many of the newest records are looked at. */
const LOOKED_AT_MAX = 10_000;

/**
 * Finds records by tokens, one list of them per word. Begins with the rarest word, newest records first, and asks of
 * each record for the other words by key. The subqueries are fenced (`offset 0`), so that a planner without statistics
 * keeps to that.
 */
export async function searchTokens(
  query: Query,
  workspaceId: string,
  words: readonly (readonly Uint8Array[])[],
  filters: WordSearchFilters,
  limit: number,
): Promise<FoundByTokens> {
  const [from, to] = await readWindow(query, workspaceId, filters);
  const counted = await Promise.all(
    words.map((tokens) =>
      query<{ count: number }>(
        'count_word',
        `select count(*) as count from (select 1 from answer_evidence.word_tokens
           where workspace_id = $1 and token = any($2::bytea[]) and leaf_index >= $3 and leaf_index < $4
           limit ${LOOKED_AT_MAX + 1}) counted`,
        [workspaceId, toBuffers(tokens), from, to],
      ),
    ),
  );
  const counts = counted.map(([row]) => row?.count ?? 0);
  const order = counts.map((count, at) => ({ count, at })).toSorted((one, other) => one.count - other.count);
  const [rarest, ...others] = order.map(({ at }) => toBuffers(words[at] ?? []));
  const least = order[0]?.count ?? 0;
  if (rarest === undefined || least === 0) return { leaves: [], counts, isLimited: false };

  const values: unknown[] = [workspaceId, from, to];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const newest = rarest.map(
    (token) => `(select leaf_index from answer_evidence.word_tokens
      where workspace_id = $1 and token = ${parameter(token)} and leaf_index >= $2 and leaf_index < $3
      order by leaf_index desc limit ${LOOKED_AT_MAX})`,
  );
  const has = (tokens: readonly Buffer[]) => `exists (select from answer_evidence.word_tokens w
    where w.workspace_id = $1 and w.token = any(${parameter(tokens)}::bytea[]) and w.leaf_index = d.leaf_index offset 0)`;
  const isOf = (column: string, value: string) => `exists (select from answer_evidence.answer_records r
    where r.workspace_id = $1 and r.leaf_index = d.leaf_index and r.${column} = ${parameter(value)} offset 0)`;
  const { application_key: application, environment } = filters;
  const where = [
    'true',
    ...others.map(has),
    ...(application === undefined ? [] : [isOf('application_key', application)]),
    ...(environment === undefined ? [] : [isOf('environment', environment)]),
  ];
  const rows = await query<{ leaf_index: number }>(
    '',
    `select d.leaf_index from (select distinct leaf_index from (${newest.join(' union all ')}) n
         order by leaf_index desc limit ${LOOKED_AT_MAX}) d
       where ${where.join(' and ')} order by d.leaf_index desc limit ${limit}`,
    values,
  );
  const leaves = rows.map((row) => row.leaf_index);
  return { leaves, counts, isLimited: leaves.length < limit && least > LOOKED_AT_MAX };
}

/** The places in the log between two times. */
async function readWindow(
  query: Query,
  workspaceId: string,
  { created_after: after, created_before: before }: WordSearchFilters,
): Promise<readonly [number, number]> {
  const [row] = await query<{ low: number; high: number }>(
    'word_window',
    `select answer_evidence.first_leaf_at($1, $2::bigint, h.tree_size) as low,
         answer_evidence.first_leaf_at($1, $3::bigint, h.tree_size) as high
       from answer_evidence.ledger_heads h where h.workspace_id = $1`,
    [
      workspaceId,
      after === undefined ? 0 : parseTimestamp(after),
      before === undefined ? Number.MAX_SAFE_INTEGER : parseTimestamp(before),
    ],
  );
  return [row?.low ?? 0, row?.high ?? 0];
}

function toBuffers(tokens: readonly Uint8Array[]): readonly Buffer[] {
  return tokens.map((token) => Buffer.from(token));
}
