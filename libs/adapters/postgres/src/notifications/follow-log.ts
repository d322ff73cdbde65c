import type pg from 'pg';
import { actor, type EventType, type JsonObject } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import type { NewNotification, NotedEntry } from '@answer-evidence/ports';
import { writeWorkspace } from '../session.ts';
import { lockPlace, movePlace, type NotificationDeps, tellAll } from './tell-targets.ts';

/** Leaves of one transaction. */
const LEAVES_MAX = 2_000;
const HOUR_MICROS = 3_600_000_000;
/** As far as readings are counted. */
const READINGS_MAX = 200;

/** What notifications may be about. Look-ups are fenced, so that each is by key whatever the planner knows. */
const READ_ENTRIES = `
  with leaves as materialized (
    select l.leaf_index, l.type, l.id, l.subject, l.at from answer_evidence.ledger_leaves l
      where l.workspace_id = $1 and l.leaf_index >= $2 and l.leaf_index < $3 and l.type not in ('answer_recorded',
        'trace_attached', 'evidence_linked', 'evidence_registered', 'evidence_accessed', 'token_issued', 'genesis'))
  select l.leaf_index, l.type, l.id, l.at, w.core_json, e.record_id, e.event_type, e.actor_json, r.application_key,
      case when l.type = 'texts_revealed' then (
        select count(*) from (
            select x.leaf_index from answer_evidence.workspace_entries x
              where x.workspace_id = $1 and x.type = 'texts_revealed' and x.actor_id = w.actor_id
                and x.leaf_index <= l.leaf_index order by x.leaf_index desc limit ${READINGS_MAX}) read
          join answer_evidence.ledger_leaves y on y.workspace_id = $1 and y.leaf_index = read.leaf_index
            and y.at > l.at - ${HOUR_MICROS}) end as readings
    from leaves l
    left join lateral (select x.core_json, x.actor_id from answer_evidence.workspace_entries x
      where x.workspace_id = $1 and x.id = l.id offset 0) w on true
    left join lateral (select x.record_id, x.event_type, x.actor_json from answer_evidence.lifecycle_events x
      where l.type = 'lifecycle_event' and x.workspace_id = $1 and x.id = l.id offset 0) e on true
    left join lateral (select x.application_key from answer_evidence.answer_records x
      where x.workspace_id = $1 and x.id = e.record_id offset 0) r on true
    order by l.leaf_index`;

type EntryRow = {
  readonly leaf_index: number;
  readonly type: string;
  readonly id: string;
  readonly at: number;
  readonly core_json: string | null;
  readonly record_id: string | null;
  readonly event_type: EventType | null;
  readonly actor_json: string | null;
  readonly application_key: string | null;
  readonly readings: number | null;
};

/** Tells what the next leaves say, in one transaction; returns whether there are more. */
export function followLog(
  pool: pg.Pool,
  deps: NotificationDeps,
  workspaceId: string,
  toNotifications: (entry: NotedEntry) => readonly NewNotification[],
): Promise<boolean> {
  return writeWorkspace(pool, workspaceId, async (query) => {
    const place = await lockPlace(query, workspaceId, true);
    const [head] = await query<{ tree_size: number }>(
      'notification_head',
      'select tree_size from answer_evidence.ledger_heads where workspace_id = $1',
      [workspaceId],
    );
    if (place === undefined || head === undefined || place.tree_size >= head.tree_size) return false;
    const to = Math.min(place.tree_size + LEAVES_MAX, head.tree_size);
    const rows = await query<EntryRow>('', READ_ENTRIES, [workspaceId, place.tree_size, to]);
    const news = rows.flatMap((row) => toNotifications(toEntry(row)));
    const position = await tellAll(query, deps, workspaceId, news, place.position);
    await movePlace(query, workspaceId, { tree_size: to, position });
    return to < head.tree_size;
  });
}

function toEntry(row: EntryRow): NotedEntry {
  const { record_id: recordId, event_type: type, actor_json: by, application_key: applicationKey } = row;
  return {
    leafIndex: row.leaf_index,
    type: row.type,
    id: row.id,
    at: row.at,
    core: row.core_json === null ? undefined : (parseJsonText(row.core_json) as JsonObject),
    event:
      recordId === null || type === null || by === null || applicationKey === null
        ? undefined
        : { recordId, type, applicationKey, actor: actor.parse(parseJsonText(by)) },
    readings: row.readings ?? undefined,
  };
}
