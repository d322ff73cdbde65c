import { type MarkedFilters, RECORD_FILTER_COLUMNS, type Within } from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';
import type { Query } from '../session.ts';
import { kindColumns, type Kinds, readKinds } from './record-kinds.ts';

/** What a list is filtered by and narrowed to. */
export type Filters = MarkedFilters & Within;

/** Records that filters let through: `from … where …` over `r` (records) alone; `$1` is the workspace. */
type Selection = { readonly sql: string; readonly values: readonly unknown[] };

/** Which of them are wanted: so many from the first or the last on. Without it, all are, in no order. */
type Wanted = {
  readonly beforeLeaf?: number | undefined;
  readonly order: 'asc' | 'desc';
  readonly count: number;
};

/** Makes selections by the same filters, if so whatever the status is. */
export type Selector = (wanted?: Wanted, status?: 'any') => Selection;

const TREE_SIZE = '(select tree_size from answer_evidence.ledger_heads where workspace_id = $1)';

/** Filters by which few records are left, or none of these: then one of them is looked up by its index. */
const NARROW = ['external_trace_id', 'external_message_id', 'idempotency_key', 'session_id_hash'] as const;
/** Filters by which many are left, and which kinds of records differ in. */
const KIND_FILTERS = ['application_key', 'environment', 'mode', 'actor_id_hash'] as const;

/** A scalar subquery: it is asked row by row by primary key, and the planner has nothing to choose. */
const STATUS = `coalesce((select s.status from answer_evidence.record_states s
  where s.workspace_id = $1 and s.record_id = r.id), 'recorded')`;

/**
 * The filters as SQL. Joins are lateral and fenced (`offset 0`, or a limit), so that PostgreSQL keeps the order and
 * kind written here: without statistics the planner expects a few rows per table, and compares each row with each row.
 * A time is converted to a leaf index once, because leaves are in order of time.
 *
 * With a narrow filter, records begin with its index. Else those that were changed begin with their states, and filters
 * that many records pass begin with the kinds of records that there are: each kind is read from its place on, so that
 * no record is read in vain, however rare what several filters have in common. The plans that were too slow: decisions
 * 0088 and 0101.
 */
export async function createSelector(query: Query, workspaceId: string, filters: Filters): Promise<Selector> {
  if (isOfClaims(filters)) return (wanted) => selectClaimed(workspaceId, filters, wanted);
  if (!isNarrow(filters) && filters.status !== undefined && filters.status !== 'recorded')
    return (wanted) => selectChanged(workspaceId, filters, wanted);
  const goesByKinds =
    !isNarrow(filters) &&
    (filters.within !== undefined || KIND_FILTERS.some((column) => filters[column] !== undefined));
  const kinds = goesByKinds ? await readKindsInOrder(query, workspaceId, filters) : undefined;
  return (wanted, status) => {
    const selected = status === 'any' ? { ...filters, status: undefined } : filters;
    return kinds === undefined
      ? selectPlainly(workspaceId, selected, wanted)
      : selectOfKinds(workspaceId, selected, kinds, wanted);
  };
}

/** The planner expects few records of a kind, and would gather the places of all of them before it reads the first. */
const IN_ORDER = `select set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true)`;

async function readKindsInOrder(query: Query, workspaceId: string, filters: Filters): Promise<Kinds | undefined> {
  const [, kinds] = await Promise.all([query('', IN_ORDER, []), readKinds(query, workspaceId, filters)]);
  return kinds;
}

/**
 * What a list of an actor's records that never changed leaves out: those that did, by an index of their own. Undefined
 * for other lists. To count both and subtract takes half as long as to look up the status of each record.
 */
export function selectLeftOut(workspaceId: string, filters: Filters): Selection | undefined {
  const { status, actor_id_hash: actor } = filters;
  if (status !== 'recorded' || actor === undefined || isNarrow(filters) || isOfClaims(filters)) return undefined;
  return selectChanged(workspaceId, { ...filters, status: undefined }, undefined);
}

function isOfClaims(filters: Filters): boolean {
  return filters.answered_after !== undefined || filters.answered_before !== undefined;
}

/** Of the records that claim a time in the window. Claims repeat what most lists of them are filtered by. */
function selectClaimed(workspaceId: string, filters: Filters, wanted: Wanted | undefined): Selection {
  const { answered_after: after, answered_before: before, application_key: application, ...others } = filters;
  const values: unknown[] = [workspaceId];
  const conditions = [
    'a.workspace_id = $1',
    ...(after === undefined ? [] : [`a.answered_at >= ${parameter(values, parseTimestamp(after))}`]),
    ...(before === undefined ? [] : [`a.answered_at < ${parameter(values, parseTimestamp(before))}`]),
    ...(application === undefined ? [] : [`a.application_key = ${parameter(values, application)}`]),
    ...places('a', filters, wanted, values),
  ];
  const ofRecords = [
    ...equalities('r', others, values),
    ...(filters.status === undefined ? [] : [`${STATUS} = ${parameter(values, filters.status)}`]),
  ];
  const claims = `from answer_evidence.answered_claims a where ${conditions.join(' and ')}`;
  const isFirst = wanted !== undefined && ofRecords.length === 0;
  const first = isFirst ? `order by a.leaf_index ${wanted.order} limit ${wanted.count}` : 'offset 0';
  const sql = `from (select a.record_id ${claims} ${first}) a
      cross join lateral (select * from answer_evidence.answer_records x
        where x.workspace_id = $1 and x.id = a.record_id offset 0) r
      ${ofRecords.length === 0 ? '' : `where ${ofRecords.join(' and ')}`}`;
  return { sql, values };
}

function isNarrow(filters: Filters): boolean {
  return NARROW.some((column) => filters[column] !== undefined);
}

function selectPlainly(workspaceId: string, filters: Filters, wanted: Wanted | undefined): Selection {
  const values: unknown[] = [workspaceId];
  const conditions = [
    'r.workspace_id = $1',
    ...equalities('r', filters, values),
    ...(filters.status === undefined ? [] : [`${STATUS} = ${parameter(values, filters.status)}`]),
    ...places('r', filters, wanted, values),
  ];
  return { sql: `from answer_evidence.answer_records r where ${conditions.join(' and ')}`, values };
}

/** Of the states of one status or of any, which repeat what records are filtered by; in the order of the records. */
function selectChanged(workspaceId: string, filters: Filters, wanted: Wanted | undefined): Selection {
  const values: unknown[] = [workspaceId];
  const conditions = [
    's.workspace_id = $1',
    ...(filters.status === undefined ? [] : [`s.status = ${parameter(values, filters.status)}`]),
    ...equalities('s', filters, values),
    ...places('s', filters, wanted, values),
  ];
  const states = `from answer_evidence.record_states s where ${conditions.join(' and ')}`;
  if (wanted === undefined) return { sql: states, values };
  const sql = `from (select s.record_id ${states} order by s.leaf_index ${wanted.order} limit ${wanted.count}) s
      cross join lateral (select * from answer_evidence.answer_records x
        where x.workspace_id = $1 and x.id = s.record_id offset 0) r`;
  return { sql, values };
}

function selectOfKinds(workspaceId: string, filters: Filters, kinds: Kinds, wanted: Wanted | undefined): Selection {
  const values: unknown[] = [workspaceId];
  const conditions = [
    'r.workspace_id = $1',
    ...kindColumns(filters).map(([name, sql]) => `${sql} = k.${name}`),
    ...(filters.actor_id_hash === undefined ? [] : [`r.actor_id_hash = ${parameter(values, filters.actor_id_hash)}`]),
    ...(filters.status === undefined ? [] : [`${STATUS} = ${parameter(values, filters.status)}`]),
    ...places('r', filters, wanted, values),
  ];
  const arrays = [kinds.applications, kinds.environments, kinds.modes].map(
    (column) => `${parameter(values, column)}::text[]`,
  );
  const sql = `from unnest(${arrays.join(', ')}) as k (application_key, environment, mode)
      cross join lateral (select * from answer_evidence.answer_records r where ${conditions.join(' and ')}
        ${wanted === undefined ? 'offset 0' : `order by r.leaf_index ${wanted.order} limit ${wanted.count}`}) r`;
  return { sql, values };
}

function parameter(values: unknown[], value: unknown): string {
  values.push(value);
  return `$${values.length}`;
}

function equalities(alias: string, filters: Filters, values: unknown[]): readonly string[] {
  const { applications = null, environments = null } = filters.within ?? {};
  const isAnyOf = (column: string, names: readonly string[] | null) =>
    names === null ? [] : [`${alias}.${column} = any(${parameter(values, names)}::text[])`];
  return [
    ...RECORD_FILTER_COLUMNS.flatMap((column) =>
      filters[column] === undefined ? [] : [`${alias}.${column} = ${parameter(values, filters[column])}`],
    ),
    ...isAnyOf('application_key', applications),
    ...isAnyOf('environment', environments),
  ];
}

/** The places in the log that times and a cursor leave, of whatever has a leaf index. */
function places(alias: string, filters: Filters, wanted: Wanted | undefined, values: unknown[]): readonly string[] {
  const { created_after: after, created_before: before } = filters;
  const firstLeafAt = (time: string) =>
    `(select answer_evidence.first_leaf_at($1, ${parameter(values, parseTimestamp(time))}, ${TREE_SIZE}))`;
  return [
    ...(after === undefined ? [] : [`${alias}.leaf_index >= ${firstLeafAt(after)}`]),
    ...(before === undefined ? [] : [`${alias}.leaf_index < ${firstLeafAt(before)}`]),
    ...(wanted?.beforeLeaf === undefined ? [] : [`${alias}.leaf_index < ${parameter(values, wanted.beforeLeaf)}`]),
  ];
}
