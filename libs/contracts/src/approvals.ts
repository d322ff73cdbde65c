import * as z from 'zod';
import { actor } from './actors.ts';
import { createEventRequest } from './events.ts';
import { placeHoldRequest, releaseHoldRequest } from './holds.ts';
import { openObject } from './json.ts';
import { createPackRequest } from './packs.ts';
import { pageOf, pageQuery } from './pages.ts';
import { anyUuid, isVisible, timestamp, uuid } from './primitives.ts';
import { exportQuery } from './records.ts';
import { wantedAccess } from './roles.ts';
import { patchSettingsRequest } from './settings.ts';
import { atMost } from './text-length.ts';
import { putTrustPolicyRequest } from './trust.ts';
import { type ApprovalAct, approvalAct } from './two-people.ts';

/** Most requests of a workspace that wait for a second person. */
export const APPROVALS_OPEN_MAX = 200;

/** Longest reason of a request, in UTF-16 code units. */
export const APPROVAL_REASON_LENGTH_MAX = 1000;

/** A lifecycle event that is asked for: its record, and what `POST …/events` takes. */
export const requestedEvent = z.strictObject({
  answer_log_id: anyUuid,
  ...createEventRequest.shape,
  event_type: z.enum(['voided', 'redacted']),
});
export type RequestedEvent = z.infer<typeof requestedEvent>;

/** A change of a member that is asked for: that they are removed or disabled, or have another role. */
export const requestedMember = z
  .strictObject({
    member_id: anyUuid,
    change: z.enum(['remove', 'disable', 'access']),
    /** With `access`: what they may do from then on. */
    access: wantedAccess.optional(),
    version: z.int().positive().optional(),
  })
  .refine(({ change, access }) => (change === 'access') === (access !== undefined), {
    path: ['access'],
    message: 'must be given with the change "access", and left out with another',
  });
export type RequestedMember = z.infer<typeof requestedMember>;

/** The release of a hold that is asked for. */
export const requestedRelease = z.strictObject({ hold_id: anyUuid, ...releaseHoldRequest.shape });
export type RequestedRelease = z.infer<typeof requestedRelease>;

/**
 * An export that is asked for: its form, and what `GET …/export` filters by. `records`, which the service counts, and
 * `created_before`, which is the time of the request where it is left out, keep it from growing.
 */
export const requestedExport = z.strictObject({
  ...exportQuery.omit({ bom: true, cell_length_max: true, approval_id: true }).shape,
  records: z.int().nonnegative().optional(),
});
export type RequestedExport = z.infer<typeof requestedExport>;
/** An evidence pack that is asked for: what `POST …/packs` takes. */
export const requestedPack = createPackRequest.omit({ approval_id: true });

/** What is asked for: exactly one member. */
const requestedActs = {
  event: requestedEvent.optional(),
  settings: patchSettingsRequest.optional(),
  trust_policy: putTrustPolicyRequest.optional(),
  member: requestedMember.optional(),
  hold: placeHoldRequest.optional(),
  hold_release: requestedRelease.optional(),
  export: requestedExport.optional(),
  pack: requestedPack.optional(),
};
/** One of what can be asked for, as it is stored. */
export const requestedAct = z.strictObject(requestedActs);
export type RequestedAct = z.infer<typeof requestedAct>;

/** Which act is asked for. */
export function actOf(request: RequestedAct): ApprovalAct {
  const { event, settings, trust_policy: policy, hold, hold_release } = request;
  if (event !== undefined) return event.event_type === 'voided' ? 'void' : 'redaction';
  if (settings !== undefined) return 'settings';
  if (hold !== undefined) return 'hold_placing';
  if (hold_release !== undefined) return 'hold_release';
  if (policy !== undefined) return 'trust_policy';
  return request.member === undefined ? 'export' : 'members';
}

/** Body of `POST /api/approvals`: an act, and why a second person should approve it. The log keeps the reason. */
export const requestApprovalRequest = z
  .strictObject({
    reason: z.string().check(atMost(APPROVAL_REASON_LENGTH_MAX)).refine(isVisible, 'must not be blank'),
    ...requestedActs,
  })
  .refine(
    ({ reason: _, ...acts }) => Object.values(acts).filter((act) => act !== undefined).length === 1,
    'must ask for exactly one act, such as "event"',
  )
  .meta({ minProperties: 2, maxProperties: 2 });
export type RequestApprovalRequest = z.infer<typeof requestApprovalRequest>;

/** What became of a request. `open`: nobody has decided, and there is time. */
export const APPROVAL_STATES = ['open', 'approved', 'declined', 'withdrawn', 'expired'] as const;
const approvalState = z.enum(APPROVAL_STATES);
export type ApprovalState = z.infer<typeof approvalState>;
/** The same as it is stored: `used` is an approved request for an export that was made. */
export type StoredApprovalState = ApprovalState | 'used';

/** What a request is about; null where it is about something else. */
export const approvalSubject = z.strictObject({
  answer_log_id: uuid.nullable(),
  member_id: uuid.nullable(),
  hold_id: uuid.nullable(),
});

/**
 * A request for a second person. `request` is what was asked for, as long as it is open, and for those who could ask
 * the same; `entry_ids` are the entries of the act, where it was approved.
 */
export const approval = z.strictObject({
  id: uuid,
  act: approvalAct,
  state: approvalState,
  reason: z.string(),
  subject: approvalSubject,
  request: openObject.nullable(),
  requested_by: actor,
  requested_at: timestamp,
  expires_at: timestamp,
  decided_by: actor.nullable(),
  decided_at: timestamp.nullable(),
  entry_ids: z.array(uuid),
  /** Whether the export that was approved has been made; null for every other act. */
  used: z.boolean().nullable(),
});
export type Approval = z.infer<typeof approval>;

/** Query of `GET /api/approvals`. */
export const approvalQuery = z.strictObject({
  state: z.enum(APPROVAL_STATES).optional(),
  ...pageQuery.shape,
});
/** `GET /api/approvals`, newest first. */
export const approvalList = pageOf(approval);
