import { type Clock, newId, type NewNotification, type RandomSource } from '@answer-evidence/ports';
import {
  DELIVERIES,
  type DeliveryRow,
  type JobRow,
  type NotificationRow,
  NOTIFICATIONS,
  OUTBOX,
  type TargetRow,
} from '@answer-evidence/tables';
import { formatInserts } from '../append/insert-rows.ts';
import type { Query } from '../session.ts';
import { digestDueAt } from './digest-due.ts';
import { type Listener, listenersOf } from './listeners.ts';

/** What writing notifications needs. `onJobs` is called when jobs were committed. */
export type NotificationDeps = { readonly clock: Clock; readonly random: RandomSource; readonly onJobs: () => void };

/** How far the log was told, and the last position. */
export type Place = { readonly tree_size: number; readonly position: number };

/** A time that is farther off was said by a clock that has been set back since. */
export const PAUSE_MICROS_MAX = 8 * 3_600_000_000;
/** The same of when a delivery is due, which a daily digest is within a day. */
export const DUE_MICROS_MAX = 25 * 3_600_000_000;
/** A job that was asked for this long ago and has not begun is asked for again. */
const WAKE_MICROS_MAX = 60_000_000;

/**
 * How far the log was told, locked; it begins with the entry that added the first target. With `skip`, undefined while
 * another transaction has it.
 */
export async function lockPlace(query: Query, workspaceId: string, skip: boolean): Promise<Place | undefined> {
  await query(
    'notification_place_begin',
    `insert into answer_evidence.notification_places
       select $1, coalesce((select min(leaf_index) from answer_evidence.workspace_entries
         where workspace_id = $1 and type = 'notification_target_changed'), 0), 0
       on conflict do nothing`,
    [workspaceId],
  );
  const [place] = await query<Place>(
    skip ? 'notification_place_try' : 'notification_place_lock',
    `select tree_size, position from answer_evidence.notification_places
       where workspace_id = $1 for update ${skip ? 'skip locked' : ''}`,
    [workspaceId],
  );
  return place;
}

/** Moves the place on. */
export async function movePlace(query: Query, workspaceId: string, place: Place): Promise<void> {
  await query(
    'notification_place_move',
    'update answer_evidence.notification_places set tree_size = $2, position = $3 where workspace_id = $1',
    [workspaceId, place.tree_size, place.position],
  );
}

/** The targets that may be told. */
function readListeners(query: Query, workspaceId: string): Promise<readonly Listener[]> {
  return query<Listener>(
    'notification_listeners',
    `select t.id, t.event_types_json, t.created_at, t.mail_json, t.member_id, m.role, m.access_json
       from answer_evidence.notification_targets t
       left join answer_evidence.members m on m.workspace_id = $1 and m.id = t.member_id
         and m.disabled_at is null and m.removed_at is null
       where t.workspace_id = $1 and t.removed_at is null order by t.id`,
    [workspaceId],
  );
}

/** Tells the targets that want it; the position of the last notification. Anyone who calls has locked the place. */
export async function tellAll(
  query: Query,
  deps: NotificationDeps,
  workspaceId: string,
  news: readonly NewNotification[],
  position: number,
): Promise<number> {
  if (news.length === 0) return position;
  const all = await readListeners(query, workspaceId);
  const told = new Set<string>();
  let last = position;
  for (const one of news) {
    const to = listenersOf(one, all);
    if (to.length === 0 || (await wasTold(query, workspaceId, one))) continue;
    await tell(query, deps, workspaceId, one, to, ++last, digestDueAt);
    for (const { id } of to) told.add(id);
  }
  for (const id of told) await wake(query, deps, workspaceId, id, deps.clock.nowMicros());
  return last;
}

/** Writes one notification and its deliveries. */
export async function tell(
  query: Query,
  deps: NotificationDeps,
  workspaceId: string,
  { type, subject, happenedAt, content }: NewNotification,
  targets: readonly Pick<TargetRow, 'id' | 'mail_json'>[],
  position: number,
  dueAtOf: (mailJson: string | null, nowMicros: number) => number,
): Promise<{ readonly notification: NotificationRow; readonly deliveries: readonly DeliveryRow[] }> {
  const now = deps.clock.nowMicros();
  const notification: NotificationRow = {
    id: newId(deps),
    position,
    type,
    subject,
    happened_at: happenedAt,
    content_json: JSON.stringify(content),
  };
  const deliveries = targets.map(({ id: targetId, mail_json: mail }): DeliveryRow => ({
    target_id: targetId,
    notification_id: notification.id,
    position,
    subject,
    state: 'pending',
    attempts: 0,
    due_at: dueAtOf(mail, now),
    last_status: null,
    last_error: null,
    created_at: now,
    delivered_at: null,
  }));
  for (const one of formatInserts(NOTIFICATIONS, workspaceId, [notification]))
    await query(one.name, one.text, one.values);
  for (const one of formatInserts(DELIVERIES, workspaceId, deliveries)) await query(one.name, one.text, one.values);
  return { notification, deliveries };
}

async function wasTold(
  query: Query,
  workspaceId: string,
  { type, subject, happenedAt, onceWithinMicros }: NewNotification,
): Promise<boolean> {
  if (onceWithinMicros === undefined) return false;
  const [found] = await query<{ told: boolean }>(
    'notification_told',
    `select exists (select from answer_evidence.notifications where workspace_id = $1 and type = $2 and subject = $3
       and happened_at > $4) as told`,
    [workspaceId, type, subject, happenedAt - onceWithinMicros],
  );
  return found?.told === true;
}

/** Asks for a job that delivers to the target from a time on, unless one is due by then that was asked for lately. */
export async function wake(
  query: Query,
  deps: NotificationDeps,
  workspaceId: string,
  targetId: string,
  at: number,
): Promise<void> {
  const now = deps.clock.nowMicros();
  const [asked] = await query<{ due_at: number }>(
    'notification_wake',
    `update answer_evidence.notification_states s set wake_at = n.at
       from (select greatest($3, case when paused_until > $5 then 0 else paused_until end) as at
         from answer_evidence.notification_states where workspace_id = $1 and target_id = $2 for update) n
       where s.workspace_id = $1 and s.target_id = $2 and s.state = 'active' and (s.wake_at < $4 or s.wake_at > n.at)
       returning n.at as due_at`,
    [workspaceId, targetId, at, now - WAKE_MICROS_MAX, now + PAUSE_MICROS_MAX],
  );
  if (asked === undefined) return;
  const job: JobRow = {
    id: newId(deps),
    topic: 'notifications.deliver',
    subject: targetId,
    created_at: now,
    due_at: asked.due_at,
  };
  for (const one of formatInserts(OUTBOX, workspaceId, [job])) await query(one.name, one.text, one.values);
}
