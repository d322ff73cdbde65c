import type pg from 'pg';
import type { OtlpStore } from '@answer-evidence/ports';
import { OTLP_IGNORED, type OtlpIgnoredRow } from '@answer-evidence/tables';
import { formatInserts } from '../append/insert-rows.ts';
import { readWorkspace, writeWorkspace } from '../session.ts';
import { countRows } from './count-rows.ts';
import { select } from './rows.ts';

/** Most rows of a workspace; what comes when it has as many is counted without its names. */
const ROWS_MAX = 1_000;

/** What is ignored, on its own: nothing else is decided by it. */
export function createIgnoredStore(pool: pg.Pool): Pick<OtlpStore, 'countIgnored' | 'listIgnored'> {
  return {
    countIgnored: (workspaceId, counted, forgottenBefore) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        await query(
          'otlp_forget_ignored',
          'delete from answer_evidence.otlp_ignored where workspace_id = $1 and last_seen_at < $2',
          [workspaceId, forgottenBefore],
        );
        const known = await query<OtlpIgnoredRow>(
          'otlp_known_ignored',
          `select ${select('i', OTLP_IGNORED)} from answer_evidence.otlp_ignored i where i.workspace_id = $1`,
          [workspaceId],
        );
        const rows = makeRoom(counted, new Set(known.map(nameOf)));
        for (const { text, values } of formatInserts(OTLP_IGNORED, workspaceId, rows))
          await query(
            '',
            `${text} on conflict (workspace_id, application_key, scope_name, reason) do update
               set item_count = otlp_ignored.item_count + excluded.item_count, last_seen_at = excluded.last_seen_at,
                   trace_id = excluded.trace_id, span_id = excluded.span_id,
                   attribute_names = case when excluded.attribute_names = '[]' then otlp_ignored.attribute_names
                     else excluded.attribute_names end`,
            values,
          );
      }),

    listIgnored: (workspaceId, filters, page) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const columns = (['application_key', 'scope_name', 'reason'] as const).filter(
          (name) => filters[name] !== undefined,
        );
        const where = ['i.workspace_id = $1', ...columns.map((name, n) => `i.${name} = $${n + 2}`)].join(' and ');
        const values = [workspaceId, ...columns.map((name) => filters[name])];
        const next = values.length + 1;
        const after = page.after === undefined ? '' : ` and (i.last_seen_at, i.id) < ($${next}, $${next + 1})`;
        const items = await query<OtlpIgnoredRow>(
          '',
          `select ${select('i', OTLP_IGNORED)} from answer_evidence.otlp_ignored i where ${where}${after}
             order by i.last_seen_at desc, i.id desc limit ${page.limit} offset ${page.offset}`,
          page.after === undefined ? values : [...values, page.after.lastSeenAt, page.after.id],
        );
        return { items, ...(await countRows(query, '', `from answer_evidence.otlp_ignored i where ${where}`, values)) };
      }),
  };
}

function nameOf(row: Pick<OtlpIgnoredRow, 'application_key' | 'scope_name' | 'reason'>): string {
  return JSON.stringify([row.application_key, row.scope_name, row.reason]);
}

/** The rows with those that there is no room for counted together, by reason: one statement changes a row once. */
function makeRoom(counted: readonly OtlpIgnoredRow[], known: ReadonlySet<string>): readonly OtlpIgnoredRow[] {
  const rows = new Map<string, OtlpIgnoredRow>();
  let size = known.size;
  for (const one of counted) {
    const isNew = !known.has(nameOf(one)) && !rows.has(nameOf(one));
    const row = isNew && size >= ROWS_MAX ? { ...one, application_key: '', scope_name: '' } : one;
    if (isNew && row === one) size += 1;
    const before = rows.get(nameOf(row));
    rows.set(nameOf(row), { ...row, item_count: row.item_count + (before?.item_count ?? 0) });
  }
  return [...rows.values()];
}
