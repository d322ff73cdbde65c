import * as z from 'zod';
import { actor } from './actors.ts';
import { openObject } from './json.ts';
import { NOTIFICATION_ABOUT, type NotificationType } from './notification-about.ts';
import { pageOf, pageQuery } from './pages.ts';
import { OPEN_VALUES, shownName, timestamp, uuid } from './primitives.ts';
import { atMost } from './text-length.ts';

/** Every type of notification, in the order of the documentation. */
export const NOTIFICATION_TYPES = Object.keys(NOTIFICATION_ABOUT) as [NotificationType, ...NotificationType[]];

/** What a notification says happened. A receiver ignores types that it does not know. */
export const notificationType = z.enum(NOTIFICATION_TYPES).meta(OPEN_VALUES);

/** Most targets that a workspace has at a time. */
export const NOTIFICATION_TARGETS_MAX = 20;
/** Longest address of a target. */
const URL_LENGTH_MAX = 2000;
/** Longest time that an earlier secret signs beside the new one, in seconds: seven days. */
export const SECRET_OVERLAP_SECONDS_MAX = 7 * 86_400;
/** How long an earlier secret signs beside the new one if a rotation does not say, in seconds: 24 hours. */
export const SECRET_OVERLAP_SECONDS_DEFAULT = 86_400;

const targetName = shownName(100);
const targetUrl = z.string().min(1, 'must not be empty').check(atMost(URL_LENGTH_MAX));
const wantedTypes = z.array(z.enum(NOTIFICATION_TYPES)).min(1).max(NOTIFICATION_TYPES.length);

/** Body of `POST /api/notifications/targets`. Without `event_types`, or with null, the target gets every type. */
export const createTargetRequest = z.strictObject({
  name: targetName,
  url: targetUrl,
  event_types: wantedTypes.nullable().optional(),
});
export type CreateTargetRequest = z.infer<typeof createTargetRequest>;

/** When mails go: each notification at once, or all since the last mail each hour, or each day at an hour (UTC). */
export const mailDigest = z.enum(['at_once', 'hourly', 'daily']);
export type MailDigest = z.infer<typeof mailDigest>;

/** How a target of mail is written to. */
export const mailTerms = z.strictObject({
  digest: mailDigest,
  /** Of a daily digest; null otherwise. */
  hour: z.int().min(0).max(23).nullable(),
  language: z.enum(['en', 'de']),
});
export type MailTerms = z.infer<typeof mailTerms>;

/** Longest address that SMTP transports (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
const ADDRESS_LENGTH_MAX = 254;
const mailAddress = z
  .string()
  .regex(
    /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,63}$/,
    'must be an address such as anna@example.com',
  )
  .check(atMost(ADDRESS_LENGTH_MAX));

const wantedMail = {
  address: mailAddress,
  digest: mailDigest.default('at_once'),
  hour: z.int().min(0).max(23).optional(),
  language: mailTerms.shape.language.default('en'),
  event_types: wantedTypes.nullable().optional(),
};
const isHourOf = ({ digest, hour }: { readonly digest: MailDigest; readonly hour?: number | undefined }): boolean =>
  (hour !== undefined) === (digest === 'daily');
const HOUR_FAULT = { path: ['hour'], error: 'must be there for a daily digest, and for no other' };

/** Body of `POST /api/notifications/mail-targets`. */
export const createMailTargetRequest = z.strictObject({ name: targetName, ...wantedMail }).refine(isHourOf, HOUR_FAULT);
export type CreateMailTargetRequest = z.infer<typeof createMailTargetRequest>;

/** Body of `PUT /api/notifications/mine`. Without `event_types`, or with null: every type that the role may see. */
export const putOwnNotificationsRequest = z.strictObject(wantedMail).refine(isHourOf, HOUR_FAULT);
export type PutOwnNotificationsRequest = z.infer<typeof putOwnNotificationsRequest>;
/** The same as a caller sends it, who may leave out what has a default. */
export type OwnNotificationsWanted = z.input<typeof putOwnNotificationsRequest>;

/** Body of `POST /api/notifications/targets/{target_id}/confirm`: the code that was sent to the address. */
export const confirmTargetRequest = z.strictObject({ code: z.string().min(1).check(atMost(100)) });

/** Body of `PATCH /api/notifications/targets/{target_id}`: at least one member. */
export const patchTargetRequest = z
  .strictObject({
    name: targetName.optional(),
    url: targetUrl.optional(),
    event_types: wantedTypes.nullable().optional(),
    state: z.enum(['active', 'disabled']).optional(),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), 'must change something')
  .meta({ minProperties: 1 });
export type PatchTargetRequest = z.infer<typeof patchTargetRequest>;

/** Body of `POST /api/notifications/targets/{target_id}/rotate`: how long the earlier secret signs as well. */
export const rotateTargetRequest = z.strictObject({
  overlap_seconds: z.int().min(0).max(SECRET_OVERLAP_SECONDS_MAX).default(SECRET_OVERLAP_SECONDS_DEFAULT),
});
export type RotateTargetRequest = z.input<typeof rotateTargetRequest>;

/**
 * Why a target gets nothing: a manager disabled it, no delivery succeeded for three days, or it responded that it is
 * gone (410; of mail: the address is refused).
 */
export const targetReason = z.enum(['by_manager', 'down', 'gone']);

/**
 * Why else a target of mail gets nothing: nobody confirmed the address, or who added it is no manager any more; of the
 * own notifications of a member, that they are none any more.
 */
export const mailStop = z.enum(['unconfirmed', 'owner_left']);

/** Either. */
export type TargetReason = z.infer<typeof targetReason> | z.infer<typeof mailStop>;

/** A target of mail as it is listed. */
const mailOfTarget = z.strictObject({
  ...mailTerms.shape,
  stopped: mailStop.nullable(),
  /** Whose own notifications they are; null: those of the workspace. */
  member_id: uuid.nullable(),
});

/** A target of notifications as it is listed: never its secret, and of its address the part that names the host. */
export const notificationTarget = z.strictObject({
  id: uuid,
  name: z.string(),
  /** Scheme, host and port of the address; the rest of it may be a secret, and is not shown. */
  origin: z.string(),
  /** Null: every type. */
  event_types: z.array(notificationType).nullable(),
  state: z.enum(['active', 'disabled']),
  reason: targetReason.nullable(),
  /** Since when it is in this state. */
  state_since: timestamp,
  /** Since when no delivery succeeded; null while they do. */
  failing_since: timestamp.nullable(),
  /** No delivery is tried before this time, because the last one failed. */
  paused_until: timestamp.nullable(),
  /** Deliveries that wait. */
  pending: z.int().nonnegative(),
  /** Until when an earlier secret signs as well. */
  overlap_until: timestamp.nullable(),
  created_at: timestamp,
  version: z.int().positive(),
  /** Null: a webhook. */
  mail: mailOfTarget.nullable(),
});
export type NotificationTarget = z.infer<typeof notificationTarget>;

/** A target with its secret, `whsec_` and base64, which is shown this once. */
export const targetWithSecret = z.strictObject({ ...notificationTarget.shape, secret: z.string() });
export type TargetWithSecret = z.infer<typeof targetWithSecret>;

/** What a member has mailed to themselves. */
export const ownNotifications = z.strictObject({
  /** Of the target that it is; managers see it among theirs. */
  id: uuid,
  address: z.string(),
  ...mailTerms.shape,
  /** Null: every type that the role may see. */
  event_types: z.array(notificationType).nullable(),
  state: z.enum(['active', 'disabled']),
  /** Why nothing is mailed; null while it is. */
  reason: z.enum([...targetReason.options, ...mailStop.options]).nullable(),
  /** Since when no mail succeeded; null while they do. */
  failing_since: timestamp.nullable(),
  /** Notifications that wait for a digest, or for the mail server. */
  pending: z.int().nonnegative(),
});
export type OwnNotifications = z.infer<typeof ownNotifications>;

/** `GET /api/notifications/mine`: none or one, and the types that the role of the caller may see. */
export const ownNotificationsList = z.strictObject({
  items: z.array(ownNotifications).max(1),
  event_types: z.array(notificationType),
});
export type OwnNotificationsList = z.infer<typeof ownNotificationsList>;

/** `GET /api/notifications/targets`. */
export const targetList = z.strictObject({ items: z.array(notificationTarget) });

/**
 * The body of every delivery, as Standard Webhooks has it. `subject` names what the order is of: of one subject,
 * deliveries arrive in the order in which things happened. `about` has the members of the type.
 */
export const notificationBody = z.strictObject({
  type: notificationType,
  timestamp,
  data: z.strictObject({
    workspace_id: uuid,
    workspace: z.string(),
    subject: z.string(),
    /** What happened, in English. */
    sentence: z.string(),
    /** Where it is looked at: a path below the address of the console. */
    place: z.string(),
    /** The entry of the log that says so, and who did it. */
    entry_id: uuid.nullable(),
    actor: actor.nullable(),
    about: openObject,
  }),
});
export type NotificationBody = z.infer<typeof notificationBody>;

/** One notification on its way to one target. */
export const notificationDelivery = z.strictObject({
  /** The `webhook-id` of each attempt; a receiver that has seen it ignores it. */
  notification_id: uuid,
  state: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.int().nonnegative(),
  /** The HTTP status of the last attempt, or the reply of the mail server, if any came. */
  last_status: z.int().nullable(),
  /** What the last attempt failed by, in our words. */
  last_error: z.string().nullable(),
  created_at: timestamp,
  delivered_at: timestamp.nullable(),
  body: notificationBody,
});
export type NotificationDelivery = z.infer<typeof notificationDelivery>;

/** Query of the list of deliveries. */
export const deliveryQuery = z.strictObject({
  ...pageQuery.shape,
  state: notificationDelivery.shape.state.optional(),
});
/** `GET /api/notifications/targets/{target_id}/deliveries`, newest first. */
export const deliveryList = pageOf(notificationDelivery);
