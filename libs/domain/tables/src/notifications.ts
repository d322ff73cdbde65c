import type { NotificationType, TargetReason } from '@answer-evidence/contracts';
import { bigint, bytea, integer, nullable, oneOf, type RowOf, table, text, uuid } from './table.ts';

/** Where notifications go. A row stays when its target is removed, without address and secrets. */
export const TARGETS = table('notification_targets', {
  key: ['id'],
  replaces: [
    'name',
    'origin',
    'object_id',
    'wrapped_key',
    'sealed',
    'event_types_json',
    'removed_at',
    'version',
    'mail_json',
  ],
  columns: {
    id: uuid,
    name: text,
    origin: text,
    /** What the key was made for: the entry of the change that brought address and secrets. */
    object_id: uuid,
    wrapped_key: bytea,
    /** The address and the secrets; empty once the target is removed. */
    sealed: bytea,
    /** JSON of the types that it gets, or null for all. */
    event_types_json: nullable(text),
    created_at: bigint,
    removed_at: nullable(bigint),
    version: integer,
    /** JSON of how a target of mail is written to and of who added it, or null for a webhook. */
    mail_json: nullable(text),
    /** Whose own notifications they are; null: those of the workspace. */
    member_id: nullable(uuid),
  },
});
export type TargetRow = RowOf<typeof TARGETS>;

/** How a target does. */
export const TARGET_STATES = table('notification_states', {
  key: ['target_id'],
  replaces: ['state', 'reason', 'changed_at', 'failing_since', 'failures', 'paused_until'],
  columns: {
    target_id: uuid,
    state: oneOf<'active' | 'disabled'>(),
    reason: nullable(oneOf<TargetReason>()),
    changed_at: bigint,
    failing_since: nullable(bigint),
    /** Failed attempts since the last one that succeeded. */
    failures: integer,
    paused_until: bigint,
    /** Until when one process delivers to it, and no other. */
    leased_until: bigint,
    /** When the next job about it is due that was asked for; 0 for none. */
    wake_at: bigint,
  },
});
export type TargetStateRow = RowOf<typeof TARGET_STATES>;

/** What happened, as targets are told. */
export const NOTIFICATIONS = table('notifications', {
  key: ['id'],
  columns: {
    id: uuid,
    /** The order in which things happened, as far as this service saw it. */
    position: bigint,
    type: oneOf<NotificationType>(),
    subject: text,
    happened_at: bigint,
    /** JSON of the members of `data` that no other column has. */
    content_json: text,
  },
});
export type NotificationRow = RowOf<typeof NOTIFICATIONS>;

/** A notification on its way to a target. */
export const DELIVERIES = table('notification_deliveries', {
  key: ['target_id', 'notification_id'],
  columns: {
    target_id: uuid,
    notification_id: uuid,
    position: bigint,
    subject: text,
    state: oneOf<'pending' | 'delivered' | 'failed'>(),
    attempts: integer,
    due_at: bigint,
    last_status: nullable(integer),
    last_error: nullable(text),
    created_at: bigint,
    delivered_at: nullable(bigint),
  },
});
export type DeliveryRow = RowOf<typeof DELIVERIES>;

/** What needed somebody when it was last looked at, so that its beginning and its end are told once. */
export const CONDITIONS = table('notification_conditions', {
  key: ['condition'],
  columns: { condition: text, began_at: bigint, item_json: text },
});

/** How far the log was read for notifications, and the position of the last one. */
export const NOTIFICATION_PLACE = table('notification_places', {
  key: [],
  columns: { tree_size: bigint, position: bigint },
});
