import type { UnattachedFilters, Within } from '@answer-evidence/contracts';
import type { OtlpStore } from '@answer-evidence/ports';
import { OTLP_UNATTACHED, type OtlpUnattachedRow } from '@answer-evidence/tables';
import { countRows } from '../rows/count-rows.ts';
import { select } from '../rows/rows.ts';
import type { Query } from '../session.ts';

type List = OtlpStore['listUnattached'];

/** One page of the items without a record, newest first. */
export async function listUnattached(
  query: Query,
  workspaceId: string,
  filters: UnattachedFilters & Within,
  page: Parameters<List>[2],
): ReturnType<List> {
  const { sql, values } = whereOf(workspaceId, filters);
  const bounded =
    page.after === undefined
      ? sql
      : `${sql} and (u.unattached_at, u.id) < ($${values.length + 1}, $${values.length + 2})`;
  const bounds = page.after === undefined ? [] : [page.after.unattachedAt, page.after.id];
  const [items, counted] = await Promise.all([
    query<OtlpUnattachedRow>(
      '',
      `select ${select('u', OTLP_UNATTACHED)} from answer_evidence.otlp_unattached u where ${bounded}
         order by u.unattached_at desc, u.id desc limit ${page.limit} offset ${page.offset}`,
      [...values, ...bounds],
    ),
    countRows(query, '', `from answer_evidence.otlp_unattached u where ${sql}`, values),
  ]);
  return { items, ...counted };
}

const FILTER_COLUMNS = ['application_key', 'environment', 'idempotency_key', 'trace_id', 'reason'] as const;

function whereOf(
  workspaceId: string,
  filters: UnattachedFilters & Within,
): { readonly sql: string; readonly values: readonly unknown[] } {
  const given = FILTER_COLUMNS.flatMap((column) =>
    filters[column] === undefined ? [] : [[column, filters[column]] as const],
  );
  const { applications = null, environments = null } = filters.within ?? {};
  const values: unknown[] = [workspaceId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    'u.workspace_id = $1',
    ...given.map(([column, value]) => `u.${column} = ${parameter(value)}`),
    ...(applications === null ? [] : [`u.application_key = any(${parameter(applications)}::text[])`]),
    ...(environments === null ? [] : [`u.environment = any(${parameter(environments)}::text[])`]),
  ];
  return { sql: conditions.join(' and '), values };
}
