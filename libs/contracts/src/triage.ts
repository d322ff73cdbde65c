import * as z from 'zod';
import { pageOf } from './pages.ts';
import { anyUuid, isVisible, timestamp, uuid } from './primitives.ts';
import { findingType, ofRun, reconciliationFinding } from './reconciliation-findings.ts';
import { reconciliationRun } from './reconciliations.ts';
import { atMost } from './text-length.ts';

/** Whether anybody still has to look at a finding. */
export const TRIAGE_STATES = ['open', 'resolved'] as const;
export const triageState = z.enum(TRIAGE_STATES);
export type TriageState = z.infer<typeof triageState>;

/**
 * Why nobody has to look at a finding any more. `recorded_since`: the record has come. `list_wrong`: the caller's list
 * was. `cause_fixed`: what led to it no longer happens. `as_intended`: it had to be so. `accepted`: known, and left so.
 */
export const RESOLUTIONS = ['recorded_since', 'list_wrong', 'cause_fixed', 'as_intended', 'accepted', 'other'] as const;
export const resolution = z.enum(RESOLUTIONS);
export type Resolution = z.infer<typeof resolution>;

/** What people do about a finding. */
export const TRIAGE_ACTIONS = ['assign', 'comment', 'resolve', 'reopen', 'erase'] as const;
export type TriageAction = (typeof TRIAGE_ACTIONS)[number];

/** Longest comment, in UTF-16 code units. */
export const TRIAGE_TEXT_MAX = 2_000;
/** Most steps of one finding. */
export const TRIAGE_STEPS_MAX = 500;

const text = z.string().refine(isVisible, 'must not be empty').check(atMost(TRIAGE_TEXT_MAX)).meta({ minLength: 1 });
/** The version that the caller has seen. */
const version = z.int().nonnegative().optional();

/** Body of `POST …/triage/{position}/steps`: one step. `erases` is the number of an earlier step that has a text. */
export const triageStepRequest = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('assign'), assignee_id: anyUuid.nullable(), version }),
  z.strictObject({ action: z.literal('comment'), text, version }),
  z.strictObject({ action: z.literal('resolve'), resolution, text: text.optional(), version }),
  z.strictObject({ action: z.literal('reopen'), text: text.optional(), version }),
  z.strictObject({ action: z.literal('erase'), erases: z.int().positive(), version }),
]);
export type TriageStepRequest = z.infer<typeof triageStepRequest>;

/** A member, as other members see them. */
export const triagePerson = z.strictObject({ id: uuid, username: z.string() });
export type TriagePerson = z.infer<typeof triagePerson>;

/** Where the work on a finding stands. `version` counts its steps; 0: nobody has done anything yet. */
export const triage = z.strictObject({
  state: triageState,
  assignee: triagePerson.nullable(),
  /** There only while the finding is resolved. */
  resolution: resolution.nullable(),
  version: z.int().nonnegative(),
  changed_at: timestamp.nullable(),
});
export type Triage = z.infer<typeof triage>;

/** A finding at its place in the order of the findings' root, and the work on it. */
export const triagedFinding = z.strictObject({
  position: z.int().nonnegative(),
  finding: reconciliationFinding,
  triage,
});
export type TriagedFinding = z.infer<typeof triagedFinding>;

/** One step. `text_state` and `text_until`, the end of its retention, are null for a step that never had a text. */
export const triageStep = z.strictObject({
  version: z.int().positive(),
  action: z.enum(TRIAGE_ACTIONS),
  at: timestamp,
  by: triagePerson,
  /** After this step. */
  assignee: triagePerson.nullable(),
  resolution: resolution.nullable(),
  text: z.string().nullable(),
  text_state: z.enum(['stored', 'erased', 'expired']).nullable(),
  text_until: timestamp.nullable(),
  erases: z.int().positive().nullable(),
});
export type TriageStep = z.infer<typeof triageStep>;

/** `GET …/triage/{position}`: with every step, oldest first. */
export const findingTriage = triagedFinding.extend({ ...ofRun, steps: z.array(triageStep) });
export type FindingTriage = z.infer<typeof findingTriage>;

/** How many findings of a run are in which state; `assigned` are those of `open` that have an assignee. */
export const triageCounts = z.strictObject({
  open: z.int().nonnegative(),
  assigned: z.int().nonnegative(),
  resolved: z.int().nonnegative(),
});
export type TriageCounts = z.infer<typeof triageCounts>;

/** `GET …/triage`, in the order of the findings' root. `counts` are of the whole run, whatever the filters. */
export const triagedFindingList = pageOf(triagedFinding).extend({ ...ofRun, counts: triageCounts });

/** Filters of that list. `assignee`: the id of a member, `me`, or `none`. */
export const triageFilters = {
  type: findingType.optional(),
  state: triageState.optional(),
  assignee: z.union([z.literal('me'), z.literal('none'), anyUuid]).optional(),
};

/** A run as it is listed: for people with the work on its findings, once it has any; null before that. */
export const listedRun = reconciliationRun.extend({ work: triageCounts.nullable().optional() });
export type ListedRun = z.infer<typeof listedRun>;
/** `GET /api/reconciliations/runs`, newest first. */
export const reconciliationRunList = pageOf(listedRun);

/** Most people that a list of those who can have a finding names. */
export const ASSIGNEES_MAX = 1_000;
/** Which findings that list is about: those of a run, or any. */
export const assigneeQuery = z.strictObject({ run_id: anyUuid.optional() });
/** `GET /api/reconciliations/assignees`: who can have a finding, by name. */
export const assigneeList = z.strictObject({ items: z.array(triagePerson).max(ASSIGNEES_MAX) });
