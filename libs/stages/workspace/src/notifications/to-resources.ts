import {
  type JsonValue,
  mailStop,
  NOTIFICATION_TYPES,
  type NotificationDelivery,
  type NotificationTarget,
  type TargetReason,
  targetReason,
  type TargetWithSecret,
} from '@answer-evidence/contracts';
import { formatTime, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import { type DueDelivery, StoredDamageError, type StoredTarget, type Workspace } from '@answer-evidence/ports';
import { readMail } from './mail-terms.ts';
import { formatSecret } from './sign-webhook.ts';
import { openTarget } from './target-secrets.ts';
import { toBody } from './to-body.ts';

/** A target as the API shows it. */
export function toTargetResource(
  workspace: Workspace,
  { row, state, pending }: StoredTarget,
  nowMicros: number,
): NotificationTarget {
  const ends = openTarget(workspace, row).keys.flatMap(({ until }) =>
    until === null || until <= nowMicros ? [] : [until],
  );
  const wanted = readWanted(row);
  return {
    id: row.id,
    name: row.name,
    origin: row.origin,
    event_types: wanted === null ? null : NOTIFICATION_TYPES.filter((type) => wanted.includes(type)),
    state: state.state,
    reason: targetReason.safeParse(state.reason).data ?? null,
    state_since: formatTimestamp(state.changed_at),
    failing_since: formatTime(state.failing_since),
    paused_until: state.paused_until > nowMicros ? formatTimestamp(state.paused_until) : null,
    pending,
    overlap_until: formatTime(ends[0] ?? null),
    created_at: formatTimestamp(row.created_at),
    version: row.version,
    mail: toMail(row, state.reason),
  };
}

function toMail(row: StoredTarget['row'], reason: TargetReason | null): NotificationTarget['mail'] {
  const mail = readMail(row);
  if (mail === undefined) return null;
  const { digest, hour, language } = mail;
  return { digest, hour, language, stopped: mailStop.safeParse(reason).data ?? null, member_id: row.member_id };
}

/** Null for all types. */
function readWanted({ id, event_types_json: text }: StoredTarget['row']): readonly JsonValue[] | null {
  if (text === null) return null;
  const types = parseJsonText(text);
  if (!Array.isArray(types)) throw new StoredDamageError(`the target ${id} is not as it was written`);
  return types as readonly JsonValue[];
}

/** The same with its secret. */
export function toTargetWithSecret(
  workspace: Workspace,
  stored: StoredTarget,
  nowMicros: number,
  key: Uint8Array,
): TargetWithSecret {
  return { ...toTargetResource(workspace, stored, nowMicros), secret: formatSecret(key) };
}

/** A delivery as the API shows it. */
export function toDeliveryResource(
  workspace: Workspace,
  { delivery, notification }: DueDelivery,
): NotificationDelivery {
  return {
    notification_id: delivery.notification_id,
    state: delivery.state,
    attempts: delivery.attempts,
    last_status: delivery.last_status,
    last_error: delivery.last_error,
    created_at: formatTimestamp(delivery.created_at),
    delivered_at: formatTime(delivery.delivered_at),
    body: toBody(workspace, notification),
  };
}
