import type pg from 'pg';
import type { OtlpStore } from '@answer-evidence/ports';
import { OTLP_FATES, OTLP_IGNORED, type OtlpIgnoredRow } from '@answer-evidence/tables';
import { formatInserts } from '../append/insert-rows.ts';
import { countRows } from '../rows/count-rows.ts';
import { select } from '../rows/rows.ts';
import { type Query, readWorkspace, writeWorkspace } from '../session.ts';

/** Most rows of one sender; what comes when it has as many is counted without its names. */
const ROWS_OF_A_SENDER_MAX = 500;
/** Most traces of a workspace, shared among its senders, and of one of them; its oldest make room. */
const FATES_MAX = 200_000;
const FATES_OF_A_SENDER_MAX = 20_000;
/** So much of the ids of spans is kept: 100 of 16 digits, each with a space. */
const SPAN_IDS_LENGTH_MAX = 1_700;

/** How often all of a workspace is looked through for what is old. */
const SWEEP_MICROS = 60_000_000;

/** What is left out, on its own: nothing else is decided by it. */
export function createIgnoredStore(pool: pg.Pool): Pick<OtlpStore, 'countIgnored' | 'listIgnored'> {
  const sweptBefore = new Map<string, number>();
  return {
    countIgnored: (workspaceId, counted, fates, forgottenBefore) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        await query(
          'otlp_forget_ignored',
          'delete from answer_evidence.otlp_left_out where workspace_id = $1 and last_seen_at < $2',
          [workspaceId, forgottenBefore],
        );
        const known = await query<OtlpIgnoredRow>(
          'otlp_known_ignored',
          `select ${select('i', OTLP_IGNORED)} from answer_evidence.otlp_left_out i where i.workspace_id = $1`,
          [workspaceId],
        );
        for (const { text, values } of formatInserts(OTLP_IGNORED, workspaceId, makeRoom(counted, known)))
          await query(
            '',
            `${text} on conflict (workspace_id, application_key, scope_name, reason, detail, sender) do update
               set item_count = otlp_left_out.item_count + excluded.item_count, last_seen_at = excluded.last_seen_at,
                   trace_id = excluded.trace_id, span_id = excluded.span_id,
                   attribute_names = case when excluded.attribute_names = '[]' then otlp_left_out.attribute_names
                     else excluded.attribute_names end`,
            values,
          );
        for (const { text, values } of formatInserts(OTLP_FATES, workspaceId, fates))
          await query(
            '',
            `${text} on conflict (workspace_id, trace_id, application_key, scope_name, reason, detail, sender)
               do update set item_count = otlp_fates.item_count + excluded.item_count,
                 last_seen_at = excluded.last_seen_at,
                 span_ids = left(otlp_fates.span_ids || excluded.span_ids, ${SPAN_IDS_LENGTH_MAX})`,
            values,
          );
        const isDue = forgottenBefore - (sweptBefore.get(workspaceId) ?? -Infinity) >= SWEEP_MICROS;
        if (isDue) await sweep(query, workspaceId, forgottenBefore);
        else
          for (const sender of new Set(fates.map((fate) => fate.sender)))
            await keepToShare(query, workspaceId, sender, FATES_OF_A_SENDER_MAX);
        if (isDue) sweptBefore.set(workspaceId, forgottenBefore);
      }),

    listIgnored: (workspaceId, filters, page) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const columns = (['application_key', 'scope_name', 'reason'] as const).filter(
          (name) => filters[name] !== undefined,
        );
        const applications = filters.within?.applications ?? null;
        const values = [
          workspaceId,
          ...columns.map((name) => filters[name]),
          ...(applications === null ? [] : [applications]),
        ];
        const where = [
          'i.workspace_id = $1',
          ...columns.map((name, n) => `i.${name} = $${n + 2}`),
          ...(applications === null ? [] : [`i.application_key = any($${values.length}::text[])`]),
        ].join(' and ');
        const next = values.length + 1;
        const after = page.after === undefined ? '' : ` and (i.last_seen_at, i.id) < ($${next}, $${next + 1})`;
        const items = await query<OtlpIgnoredRow>(
          '',
          `select ${select('i', OTLP_IGNORED)} from answer_evidence.otlp_left_out i where ${where}${after}
             order by i.last_seen_at desc, i.id desc limit ${page.limit} offset ${page.offset}`,
          page.after === undefined ? values : [...values, page.after.lastSeenAt, page.after.id],
        );
        return {
          items,
          ...(await countRows(query, '', `from answer_evidence.otlp_left_out i where ${where}`, values)),
        };
      }),
  };
}

/** Forgets old traces, and of each sender what is beyond its share of what a workspace may have. */
async function sweep(query: Query, workspaceId: string, forgottenBefore: number): Promise<void> {
  await query(
    'otlp_forget_fates',
    'delete from answer_evidence.otlp_fates where workspace_id = $1 and last_seen_at < $2',
    [workspaceId, forgottenBefore],
  );
  const senders = await query<{ sender: string }>(
    'otlp_fate_senders',
    'select distinct f.sender from answer_evidence.otlp_fates f where f.workspace_id = $1',
    [workspaceId],
  );
  const share = Math.min(FATES_OF_A_SENDER_MAX, Math.floor(FATES_MAX / Math.max(1, senders.length)));
  for (const { sender } of senders) await keepToShare(query, workspaceId, sender, share);
}

/** Forgets the oldest traces of a sender that has more than its share. Other senders lose none. */
async function keepToShare(query: Query, workspaceId: string, sender: string, share: number): Promise<void> {
  await query(
    'otlp_forget_more_fates',
    `delete from answer_evidence.otlp_fates f where f.workspace_id = $1 and f.id in (
       select o.id from answer_evidence.otlp_fates o where o.workspace_id = $1 and o.sender = $2
         order by o.last_seen_at desc offset $3)`,
    [workspaceId, sender, share],
  );
}

function nameOf(row: Omit<OtlpIgnoredRow, 'id'>): string {
  return JSON.stringify([row.application_key, row.scope_name, row.reason, row.detail, row.sender]);
}

/** The rows with those that there is no room for counted together, by reason: one statement changes a row once. */
function makeRoom(counted: readonly OtlpIgnoredRow[], known: readonly OtlpIgnoredRow[]): readonly OtlpIgnoredRow[] {
  const names = new Set(known.map(nameOf));
  const sizes = new Map<string, number>();
  const applications = new Set<string>();
  for (const row of known) {
    sizes.set(row.sender, (sizes.get(row.sender) ?? 0) + 1);
    applications.add(`${row.sender} ${row.application_key}`);
  }
  const rows = new Map<string, OtlpIgnoredRow>();
  for (const one of counted) {
    const isNew = !names.has(nameOf(one)) && !rows.has(nameOf(one));
    const size = sizes.get(one.sender) ?? 0;
    const isFull = isNew && size >= ROWS_OF_A_SENDER_MAX;
    const application = applications.has(`${one.sender} ${one.application_key}`) ? one.application_key : '';
    const row = isFull ? { ...one, application_key: application, scope_name: '', detail: '' } : one;
    if (isNew && !isFull) {
      sizes.set(one.sender, size + 1);
      applications.add(`${one.sender} ${one.application_key}`);
    }
    const before = rows.get(nameOf(row));
    rows.set(nameOf(row), { ...row, item_count: row.item_count + (before?.item_count ?? 0) });
  }
  return [...rows.values()];
}
