import * as z from 'zod';
import { actor } from './actors.ts';
import { OPEN_VALUES, uuid } from './primitives.ts';

/** What a workspace can demand a second person for. */
export const APPROVAL_ACTS = [
  'void',
  'redaction',
  'settings',
  'trust_policy',
  'members',
  'hold_placing',
  'hold_release',
  'export',
] as const;
/** An act, for programs. */
export const approvalAct = z.enum(APPROVAL_ACTS).meta(OPEN_VALUES);
export type ApprovalAct = z.infer<typeof approvalAct>;

/** Shortest, longest and usual time in which a second person has to decide, in seconds: one hour, 30 days, a day. */
const EXPIRES_WITHIN_MIN = 3600;
const EXPIRES_WITHIN_MAX = 30 * 86_400;
const EXPIRES_WITHIN_DEFAULT = 86_400;

const expiresWithin = z.int().min(EXPIRES_WITHIN_MIN).max(EXPIRES_WITHIN_MAX);

/** A person's exports of so many seconds before count as one with the next: a day. */
export const EXPORTS_WITHIN_SECONDS = 86_400;
/** Above how many records of a day the exports of one person need two, where `export` does; left out: above none. */
const exportsAbove = z.int().min(0).max(1_000_000);

/** Which acts need a second person, and within how many seconds they have to decide. */
export const twoPeople = z.strictObject({
  acts: z.array(approvalAct),
  expires_within: expiresWithin,
  exports_above: exportsAbove.exactOptional(),
});
export type TwoPeople = z.infer<typeof twoPeople>;
/** The same as it is asked for: no act twice. */
export const twoPeopleRequest = z.strictObject({
  acts: z
    .array(z.enum(APPROVAL_ACTS))
    .max(APPROVAL_ACTS.length)
    .refine((acts) => new Set(acts).size === acts.length, 'must not name an act twice'),
  expires_within: expiresWithin.default(EXPIRES_WITHIN_DEFAULT),
  exports_above: exportsAbove.exactOptional(),
});
/** What holds where nothing was ever stated: nothing needs a second person. */
export const NO_SECOND_PERSON: TwoPeople = { acts: [], expires_within: EXPIRES_WITHIN_DEFAULT };

/**
 * Who decided beside the person who did it: by which request, or null for both where nobody else could have approved
 * and one person acted alone.
 */
export const secondPerson = z.strictObject({ approval_id: uuid.nullable(), approved_by: actor.nullable() });
export type SecondPerson = z.infer<typeof secondPerson>;
/** One person acted alone. */
export const ALONE: SecondPerson = { approval_id: null, approved_by: null };
