import type pg from 'pg';
import type { JsonObject } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import type {
  ConditionChange,
  NotificationStore,
  StoredTarget,
  TargetHealth,
  TargetLease,
} from '@answer-evidence/ports';
import { TARGET_STATES, type TargetRow, TARGETS, type TargetStateRow } from '@answer-evidence/tables';
import { countRows } from '../rows/count-rows.ts';
import { aliased, type JoinedRow, pick } from '../rows/rows.ts';
import { type Query, readWorkspace, writeWorkspace } from '../session.ts';
import { followLog } from './follow-log.ts';
import { disableTarget, noteAttempt } from './note-attempt.ts';
import { findDelivery, IN_TURN, readAllDue, readDeliveries, readNextDue } from './read-deliveries.ts';
import {
  DUE_MICROS_MAX,
  lockPlace,
  movePlace,
  type NotificationDeps,
  PAUSE_MICROS_MAX,
  tell,
  tellAll,
  wake,
} from './tell-targets.ts';

/** A time that is farther off was said by a clock that has been set back since. */
const LEASE_MICROS_MAX = 300_000_000;
const PENDING_MAX = 10_000;

type HealthRow = Pick<TargetStateRow, 'failures' | 'failing_since'>;

/** Targets of notifications on PostgreSQL. */
export function createNotificationStore(deps: NotificationDeps & { readonly pool: pg.Pool }): NotificationStore {
  const { pool, clock } = deps;

  /** Writes, and wakes the relay: most of what is written here asks for a job. */
  async function write<T>(workspaceId: string, run: (query: Query) => Promise<T>): Promise<T> {
    const result = await writeWorkspace(pool, workspaceId, run);
    deps.onJobs();
    return result;
  }

  return {
    targets: (workspaceId) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const [targets, newest] = await Promise.all([
          readTargets(query, workspaceId, null),
          query<{ version: number | null }>(
            'notification_targets_version',
            `select max(seq)::bigint as version from answer_evidence.workspace_entries
               where workspace_id = $1 and type = 'notification_target_changed'`,
            [workspaceId],
          ),
        ]);
        return { version: newest[0]?.version ?? 0, targets };
      }),
    findTarget: async (workspaceId, targetId) =>
      (await readWorkspace(pool, workspaceId, (query) => readTargets(query, workspaceId, targetId)))[0],

    async follow(workspaceId, toNotifications) {
      const isMore = await followLog(pool, deps, workspaceId, toNotifications);
      deps.onJobs();
      return isMore;
    },

    noteConditions: (workspaceId, current, toNotification) =>
      write(workspaceId, async (query) => {
        const place = await lockPlace(query, workspaceId, true);
        if (place === undefined) return;
        const changes = await noteChanges(query, workspaceId, current, clock.nowMicros());
        const news = changes.flatMap((change) => toNotification(change) ?? []);
        const position = await tellAll(query, deps, workspaceId, news, place.position);
        if (position !== place.position) await movePlace(query, workspaceId, { ...place, position });
      }),

    tellAll: (workspaceId, told) =>
      write(workspaceId, async (query) => {
        const place = await lockPlace(query, workspaceId, false);
        if (place === undefined) return;
        const position = await tellAll(query, deps, workspaceId, [told], place.position);
        if (position !== place.position) await movePlace(query, workspaceId, { ...place, position });
      }),

    tell: (workspaceId, targetId, told) =>
      write(workspaceId, async (query) => {
        const place = await lockPlace(query, workspaceId, false);
        const [target] = await readTargets(query, workspaceId, targetId);
        if (place === undefined || target === undefined) return undefined;
        const position = place.position + 1;
        const { notification, deliveries } = await tell(
          query,
          deps,
          workspaceId,
          told,
          [target.row],
          position,
          (_, now) => now,
        );
        await movePlace(query, workspaceId, { ...place, position });
        await wake(query, deps, workspaceId, targetId, clock.nowMicros());
        const [delivery] = deliveries;
        return delivery && { delivery, notification };
      }),

    replay: (workspaceId, targetId, notificationId) =>
      write(workspaceId, async (query) => {
        const [target] = await readTargets(query, workspaceId, targetId);
        if (target === undefined) return undefined;
        await query(
          'notification_replay',
          `update answer_evidence.notification_deliveries set state = 'pending', attempts = 0, due_at = $4,
               last_status = null, last_error = null, delivered_at = null
             where workspace_id = $1 and target_id = $2 and notification_id = $3`,
          [workspaceId, targetId, notificationId, clock.nowMicros()],
        );
        const found = await findDelivery(query, workspaceId, targetId, notificationId);
        if (found !== undefined) await wake(query, deps, workspaceId, targetId, clock.nowMicros());
        return found;
      }),

    deliveries: (workspaceId, targetId, { state, before, offset, limit }) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const [items, counted] = await Promise.all([
          readDeliveries(query, [workspaceId, targetId, state ?? null, before ?? null, limit, offset]),
          countRows(
            query,
            'notification_deliveries_counted',
            `from answer_evidence.notification_deliveries
               where workspace_id = $1 and target_id = $2 and ($3::text is null or state = $3)`,
            [workspaceId, targetId, state ?? null],
          ),
        ]);
        return { items, ...counted };
      }),

    lease: (workspaceId, targetId, until) =>
      write(workspaceId, (query) => leaseTarget(query, deps, workspaceId, targetId, until)),
    renew: async (workspaceId, targetId, until) => {
      const [renewed] = await writeWorkspace(pool, workspaceId, (query) =>
        query<HealthRow>(
          'notification_renew',
          `update answer_evidence.notification_states set leased_until = $3
             where workspace_id = $1 and target_id = $2 and state = 'active'
               and (paused_until <= $4 or paused_until > $5)
             returning failures, failing_since`,
          [workspaceId, targetId, until, clock.nowMicros(), clock.nowMicros() + PAUSE_MICROS_MAX],
        ),
      );
      return renewed && toHealth(renewed);
    },
    nextDue: (workspaceId, targetId) =>
      readWorkspace(pool, workspaceId, (query) => readNextDue(query, workspaceId, targetId, clock.nowMicros())),
    allDue: (workspaceId, targetId, limit) =>
      readWorkspace(pool, workspaceId, (query) => readAllDue(query, workspaceId, targetId, clock.nowMicros(), limit)),
    noteSent: (workspaceId, deliveries, outcome) =>
      write(workspaceId, async (query) => {
        for (const one of deliveries)
          await noteAttempt(query, deps, workspaceId, one, outcome, () => {
            throw new Error('what was sent disables no target');
          });
      }),
    disable: (workspaceId, targetId, reason, toNotification) =>
      write(workspaceId, (query) => disableTarget(query, deps, workspaceId, targetId, reason, toNotification)),
    mailTargetsSince: async (workspaceId, memberId, since) => {
      const [found] = await readWorkspace(pool, workspaceId, (query) =>
        query<{ added: number }>(
          'notification_mail_targets',
          `select count(*) as added from answer_evidence.notification_targets
             where workspace_id = $1 and created_at > $2 and mail_json is not null
               and member_id is not distinct from $3`,
          [workspaceId, since, memberId],
        ),
      );
      return found?.added ?? 0;
    },
    noteAttempt: (workspaceId, delivery, outcome, toNotification) =>
      write(workspaceId, (query) => noteAttempt(query, deps, workspaceId, delivery, outcome, toNotification)),
    release: (workspaceId, targetId, from) =>
      write(workspaceId, async (query) => {
        await query(
          'notification_release',
          'update answer_evidence.notification_states set leased_until = $3 where workspace_id = $1 and target_id = $2',
          [workspaceId, targetId, from],
        );
        const [next] = await query<{ due_at: number | null }>(
          'notification_next_wake',
          `select min(case when d.due_at > $3 then 0 else d.due_at end) as due_at
             from answer_evidence.notification_deliveries d
             where d.workspace_id = $1 and d.target_id = $2 and ${IN_TURN}`,
          [workspaceId, targetId, clock.nowMicros() + DUE_MICROS_MAX],
        );
        const at = next?.due_at ?? null;
        if (at !== null) await wake(query, deps, workspaceId, targetId, Math.max(at, from));
      }),

    clear: async (workspaceId, targetId) => {
      await writeWorkspace(pool, workspaceId, (query) =>
        query(
          'notification_clear',
          'delete from answer_evidence.notification_deliveries where workspace_id = $1 and target_id = $2',
          [workspaceId, targetId],
        ),
      );
    },
    forget: (workspaceId, doneBefore, pendingBefore, limit) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        await query(
          'notification_forget',
          `with old as (
             delete from answer_evidence.notification_deliveries d using (
                 select target_id, notification_id from answer_evidence.notification_deliveries
                   where workspace_id = $1 and created_at < $2 and (state <> 'pending' or created_at < $3)
                   order by created_at limit $4) o
               where d.workspace_id = $1 and d.target_id = o.target_id and d.notification_id = o.notification_id
               returning d.target_id, d.notification_id)
           delete from answer_evidence.notifications n where n.workspace_id = $1
             and n.id in (select notification_id from old)
             and not exists (select from answer_evidence.notification_deliveries d where d.workspace_id = $1
               and d.notification_id = n.id and (d.target_id, d.notification_id) not in (table old))`,
          [workspaceId, doneBefore, pendingBefore, limit],
        );
      }),
  };
}

async function readTargets(
  query: Query,
  workspaceId: string,
  targetId: string | null,
): Promise<readonly StoredTarget[]> {
  const rows = await query<JoinedRow & { pending: number }>(
    'notification_targets',
    `select ${aliased('t', TARGETS)}, ${aliased('s', TARGET_STATES)}, (
         select count(*) from (select from answer_evidence.notification_deliveries d
           where d.workspace_id = $1 and d.target_id = t.id and d.state = 'pending' limit ${PENDING_MAX}) p) as pending
       from answer_evidence.notification_targets t
       join answer_evidence.notification_states s on s.workspace_id = $1 and s.target_id = t.id
       where t.workspace_id = $1 and t.removed_at is null and ($2::uuid is null or t.id = $2)
       order by t.created_at, t.id`,
    [workspaceId, targetId],
  );
  return rows.map((row) => ({
    row: pick<TargetRow>(row, 't', TARGETS),
    state: pick<TargetStateRow>(row, 's', TARGET_STATES),
    pending: row.pending,
  }));
}

async function leaseTarget(
  query: Query,
  deps: NotificationDeps,
  workspaceId: string,
  targetId: string,
  until: number,
): Promise<TargetLease | undefined> {
  const [target] = await readTargets(query, workspaceId, targetId);
  if (target === undefined) return undefined;
  const now = deps.clock.nowMicros();
  const [leased] = await query<HealthRow>(
    'notification_lease',
    `update answer_evidence.notification_states
       set leased_until = $3, wake_at = case when wake_at <= $4 then 0 else wake_at end
       where workspace_id = $1 and target_id = $2 and state = 'active'
         and (leased_until <= $4 or leased_until > $5) and (paused_until <= $4 or paused_until > $6)
       returning failures, failing_since`,
    [workspaceId, targetId, until, now, now + LEASE_MICROS_MAX, now + PAUSE_MICROS_MAX],
  );
  if (leased !== undefined) return { row: target.row, health: toHealth(leased) };
  if (target.state.state === 'disabled') return undefined;
  // The job that woke this one is over; another one comes when the target may be free.
  await query(
    'notification_woken',
    `update answer_evidence.notification_states set wake_at = 0
       where workspace_id = $1 and target_id = $2 and wake_at <= $3`,
    [workspaceId, targetId, now],
  );
  await wake(query, deps, workspaceId, targetId, Math.max(target.state.leased_until, now));
  return undefined;
}

function toHealth({ failures, failing_since: failingSince }: HealthRow): TargetHealth {
  return { failures, failingSince };
}

/** What began and ended since the last look, which is then this one. */
async function noteChanges(
  query: Query,
  workspaceId: string,
  current: readonly { readonly key: string; readonly item: JsonObject }[],
  nowMicros: number,
): Promise<readonly ConditionChange[]> {
  const known = await query<{ condition: string; item_json: string }>(
    'notification_conditions',
    'select condition, item_json from answer_evidence.notification_conditions where workspace_id = $1',
    [workspaceId],
  );
  const keys = new Set(current.map(({ key }) => key));
  const ended = known.filter(({ condition }) => !keys.has(condition));
  const before = new Set(known.map(({ condition }) => condition));
  const began = current.filter(({ key }) => !before.has(key));
  if (ended.length > 0)
    await query(
      'notification_conditions_end',
      'delete from answer_evidence.notification_conditions where workspace_id = $1 and condition = any($2)',
      [workspaceId, ended.map(({ condition }) => condition)],
    );
  for (const { key, item } of began)
    await query(
      'notification_conditions_begin',
      'insert into answer_evidence.notification_conditions values ($1, $2, $3, $4)',
      [workspaceId, key, nowMicros, JSON.stringify(item)],
    );
  return [
    ...ended.map(({ item_json }): ConditionChange => ({
      kind: 'ended',
      item: parseJsonText(item_json) as JsonObject,
    })),
    ...began.map(({ item }): ConditionChange => ({ kind: 'began', item })),
  ];
}
