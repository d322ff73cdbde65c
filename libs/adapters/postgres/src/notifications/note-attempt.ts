import type { TargetReason } from '@answer-evidence/contracts';
import type { DeliveryOutcome, NewNotification } from '@answer-evidence/ports';
import type { DeliveryRow } from '@answer-evidence/tables';
import type { Query } from '../session.ts';
import { lockPlace, movePlace, type NotificationDeps, type Place, tellAll } from './tell-targets.ts';

/** Notes an attempt at the delivery and how its target does. */
export async function noteAttempt(
  query: Query,
  deps: NotificationDeps,
  workspaceId: string,
  delivery: DeliveryRow,
  outcome: DeliveryOutcome,
  toNotification: () => NewNotification,
): Promise<void> {
  const now = deps.clock.nowMicros();
  const { target_id: targetId, notification_id: notificationId } = delivery;
  if (outcome.kind === 'delivered') {
    await query(
      'notification_delivered',
      `update answer_evidence.notification_deliveries set state = 'delivered', attempts = attempts + 1,
           last_status = $4, last_error = null, delivered_at = $5
         where workspace_id = $1 and target_id = $2 and notification_id = $3`,
      [workspaceId, targetId, notificationId, outcome.status, now],
    );
    await query(
      'notification_target_works',
      `update answer_evidence.notification_states set failing_since = null, failures = 0, paused_until = 0
         where workspace_id = $1 and target_id = $2`,
      [workspaceId, targetId],
    );
    return;
  }
  if (outcome.kind === 'unsendable') {
    await query(
      'notification_unsendable',
      `update answer_evidence.notification_deliveries set state = 'failed', last_status = null, last_error = $4
         where workspace_id = $1 and target_id = $2 and notification_id = $3`,
      [workspaceId, targetId, notificationId, outcome.error],
    );
    return;
  }
  const { status, error, dueAt, pausedUntil, disabledFor } = outcome;
  // First, as where targets are told: two transactions that lock in different orders could wait for each other.
  const place = disabledFor === undefined ? undefined : await lockPlace(query, workspaceId, false);
  await query(
    'notification_failed',
    `update answer_evidence.notification_deliveries set state = case when $6::bigint is null then 'failed' else state end,
         attempts = attempts + 1, last_status = $4, last_error = $5, due_at = coalesce($6, due_at)
       where workspace_id = $1 and target_id = $2 and notification_id = $3`,
    [workspaceId, targetId, notificationId, status, error, dueAt ?? null],
  );
  await query(
    'notification_target_fails',
    `update answer_evidence.notification_states set failing_since = coalesce(failing_since, $3),
         failures = failures + 1, paused_until = $4
       where workspace_id = $1 and target_id = $2`,
    [workspaceId, targetId, now, pausedUntil],
  );
  if (disabledFor !== undefined && place !== undefined)
    await disable(query, deps, workspaceId, { targetId, reason: disabledFor, place }, toNotification);
}

/** Disables a target for what was found out of it, and tells the others. */
export async function disableTarget(
  query: Query,
  deps: NotificationDeps,
  workspaceId: string,
  targetId: string,
  reason: TargetReason,
  toNotification: () => NewNotification,
): Promise<void> {
  const place = await lockPlace(query, workspaceId, false);
  if (place !== undefined) await disable(query, deps, workspaceId, { targetId, reason, place }, toNotification);
}

async function disable(
  query: Query,
  deps: NotificationDeps,
  workspaceId: string,
  { targetId, reason, place }: { readonly targetId: string; readonly reason: TargetReason; readonly place: Place },
  toNotification: () => NewNotification,
): Promise<void> {
  const [disabled] = await query(
    'notification_target_disabled',
    `update answer_evidence.notification_states set state = 'disabled', reason = $3, changed_at = $4
       where workspace_id = $1 and target_id = $2 and state = 'active' returning target_id`,
    [workspaceId, targetId, reason, deps.clock.nowMicros()],
  );
  if (disabled === undefined) return;
  const position = await tellAll(query, deps, workspaceId, [toNotification()], place.position);
  await movePlace(query, workspaceId, { ...place, position });
}
