import { isLimited, type Limits, NO_LIMITS } from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';
import type { FoundByTokens, WordSearchFilters } from '@answer-evidence/ports';
import type { Query } from '../session.ts';

/** Of the rarest word, so many of the newest records are looked at. */
const LOOKED_AT_MAX = 10_000;
/** Of a word that may be similar to a typed one, so many. */
const SIMILAR_LOOKED_AT_MAX = 1_000;

/** Whether the record at the place `leaf` is within the limits of the parameters `from` and the next one. */
const isWithinSql = (leaf: string, from: number) => `exists (select from answer_evidence.answer_records r
    where r.workspace_id = $1 and r.leaf_index = ${leaf}
      and ($${from}::text[] is null or r.application_key = any($${from}::text[]))
      and ($${from + 1}::text[] is null or r.environment = any($${from + 1}::text[])) offset 0)`;

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
  const { within = NO_LIMITS } = filters;
  const counted = await Promise.all(words.map((tokens) => countWord(query, workspaceId, tokens, [from, to], within)));
  const counts = counted.map(({ own }) => own);
  const order = counted.map(({ all }, at) => ({ all, at })).toSorted((one, other) => one.all - other.all);
  const [rarest, ...others] = order.map(({ at }) => toBuffers(words[at] ?? []));
  const least = order[0]?.all ?? 0;
  const isAbsent = counted.some(({ all, own }) => own === 0 && all <= LOOKED_AT_MAX);
  if (rarest === undefined || isAbsent) return { leaves: [], counts, isLimited: false };

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
    ...(isLimited(within)
      ? [isWithinSql('d.leaf_index', values.push(within.applications, within.environments) - 1)]
      : []),
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

/** Which of these tokens a record within the limits has, by their places in the list. */
export async function findKnownTokens(
  query: Query,
  workspaceId: string,
  tokens: readonly Uint8Array[],
  within: Limits,
): Promise<readonly number[]> {
  const isBounded = isLimited(within);
  const rows = await query<{ at: number }>(
    isBounded ? 'known_words_within' : 'known_words',
    `select (a.at - 1)::integer as at from unnest($2::bytea[]) with ordinality a (token, at)
       where exists (select from (select x.leaf_index from answer_evidence.word_tokens x
           where x.workspace_id = $1 and x.token = a.token
           order by x.leaf_index desc limit ${isBounded ? SIMILAR_LOOKED_AT_MAX : 1}) x
         where ${isBounded ? isWithinSql('x.leaf_index', 3) : 'true'} offset 0)`,
    [workspaceId, toBuffers(tokens), ...(isBounded ? [within.applications, within.environments] : [])],
  );
  return rows.map(({ at }) => at);
}

/** In how many fields a word is, up to a bound: of all records, and of those within the limits. */
async function countWord(
  query: Query,
  workspaceId: string,
  tokens: readonly Uint8Array[],
  window: readonly [number, number],
  within: Limits,
): Promise<{ readonly all: number; readonly own: number }> {
  const isBounded = isLimited(within);
  const [row] = isBounded
    ? await query<{ all: number; own: number }>(
        'count_word_within',
        `select count(*) as all, count(*) filter (where ${isWithinSql('n.leaf_index', 5)}) as own
           from (select x.leaf_index from unnest($2::bytea[]) t (token)
             cross join lateral (select leaf_index from answer_evidence.word_tokens
               where workspace_id = $1 and token = t.token and leaf_index >= $3 and leaf_index < $4
               order by leaf_index desc limit ${LOOKED_AT_MAX + 1}) x
             order by x.leaf_index desc limit ${LOOKED_AT_MAX + 1}) n`,
        [workspaceId, toBuffers(tokens), ...window, within.applications, within.environments],
      )
    : await query<{ all: number; own: number }>(
        'count_word',
        `select count(*) as all, count(*) as own from (select 1 from answer_evidence.word_tokens
           where workspace_id = $1 and token = any($2::bytea[]) and leaf_index >= $3 and leaf_index < $4
           limit ${LOOKED_AT_MAX + 1}) counted`,
        [workspaceId, toBuffers(tokens), ...window],
      );
  return row ?? { all: 0, own: 0 };
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
