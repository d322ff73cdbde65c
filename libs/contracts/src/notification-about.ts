import * as z from 'zod';
import { eventType } from './events.ts';
import { memberChange } from './members.ts';
import { timestamp, uuid } from './primitives.ts';

const ofRecord = z.strictObject({
  answer_log_id: uuid,
  event_id: uuid,
  event_type: eventType,
  application_key: z.string(),
});

/** What needs somebody, or does no more, as the overview has it. */
const condition = z.strictObject({
  severity: z.enum(['high', 'medium', 'low']),
  count: z.int().nonnegative(),
  since: timestamp.nullable(),
  until: timestamp.nullable(),
  name: z.string().nullable(),
  application_key: z.string().nullable(),
  object_id: uuid.nullable(),
});
const ofHold = z.strictObject({ hold_id: uuid, matter: z.string() });
const version = z.strictObject({ version: z.int().positive() });
const none = z.strictObject({});

/** Every type of notification with the members of its `about`: ids, counts and words, and no text of an answer. */
export const NOTIFICATION_ABOUT = {
  'record.voided': ofRecord,
  'record.redacted': ofRecord,
  'run.findings': z.strictObject({ run_id: uuid, application_key: z.string(), findings: z.int().positive() }),
  'hold.placed': ofHold,
  'hold.released': ofHold,
  'approval.requested': z.strictObject({ approval_id: uuid, act: z.string() }),
  'approval.decided': z.strictObject({ approval_id: uuid.nullable(), act: z.string(), decision: z.string() }),
  'export.made': z.strictObject({ format: z.string(), records: z.int().nonnegative() }),
  'texts.read_in_bulk': z.strictObject({ readings: z.int().positive(), within_seconds: z.int().positive() }),
  'policy.changed': version,
  'settings.changed': version,
  'member.changed': z.strictObject({
    member_id: uuid,
    username: z.string(),
    role: z.string(),
    changes: z.array(memberChange),
  }),
  'token.revoked': z.strictObject({ token_id: uuid }),
  'token.ends': condition,
  'keys.changed': z.strictObject({ key: z.enum(['ledger', 'hash']), change: z.string() }),
  'anchor.failing': condition,
  'anchor.back': condition,
  'witness.failing': condition,
  'witness.back': condition,
  'log.unattested': condition,
  'log.attested': condition,
  'log.stopped': condition,
  'log.continued': z.strictObject({ tree_size: z.int().nonnegative(), log_id: uuid }),
  'clock.not_believed': condition,
  'clock.believed': condition,
  'sweep.held': condition,
  'sweep.released': condition,
  'sweep.confirmed': none,
  'answers.missing': condition,
  'findings.overdue': condition,
  'jobs.given_up': condition,
  'stream.failing': condition,
  'stream.back': condition,
  'telemetry.refused': condition,
  'target.changed': z.strictObject({ target_id: uuid, name: z.string(), change: z.string() }),
  'target.disabled': z.strictObject({ target_id: uuid, name: z.string(), reason: z.string() }),
  'stream.changed': z.strictObject({ stream_id: uuid, name: z.string(), change: z.string() }),
  test: none,
} as const;

/** One of them. */
export type NotificationType = keyof typeof NOTIFICATION_ABOUT;
