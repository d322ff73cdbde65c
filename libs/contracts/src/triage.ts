import * as z from 'zod';
import { pageOf } from './pages.ts';
import { anyUuid, dateTime, isVisible, RETENTION_DAYS_MAX, timestamp, uuid } from './primitives.ts';
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

/** What people did about a finding. To `schedule` is an `assign` that leaves who has it. */
export const TRIAGE_ACTIONS = ['assign', 'comment', 'resolve', 'reopen', 'erase'] as const;
export type TriageAction = (typeof TRIAGE_ACTIONS)[number];

/** Longest comment, in UTF-16 code units. */
export const TRIAGE_TEXT_MAX = 2_000;
/** Most steps of one finding. */
export const TRIAGE_STEPS_MAX = 500;
/** Most days from now on that a finding may be due. */
export const DUE_DAYS_MAX = RETENTION_DAYS_MAX;

const text = z.string().refine(isVisible, 'must not be empty').check(atMost(TRIAGE_TEXT_MAX)).meta({ minLength: 1 });
/** The version that the caller has seen. */
const version = z.int().nonnegative().optional();

/** By when a finding should be resolved; null: at no time. */
const dueAt = dateTime.nullable();

/**
 * Body of `POST …/triage/{position}/steps`: one step. `erases` is the number of an earlier step that has a text. An
 * assignment without `due_at` leaves the time as it is.
 */
export const triageStepRequest = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('assign'), assignee_id: anyUuid.nullable(), due_at: dueAt.optional(), version }),
  z.strictObject({ action: z.literal('comment'), text, version }),
  z.strictObject({ action: z.literal('resolve'), resolution, text: text.optional(), version }),
  z.strictObject({ action: z.literal('reopen'), text: text.optional(), version }),
  z.strictObject({ action: z.literal('erase'), erases: z.int().positive(), version }),
  z.strictObject({ action: z.literal('schedule'), due_at: dueAt, version }),
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
  /** By when it should be resolved. Only `schedule` and `assign` change it: it stands while the finding is resolved. */
  due_at: timestamp.nullable().optional(),
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
  /** After this step. */
  due_at: timestamp.nullable().optional(),
  text: z.string().nullable(),
  text_state: z.enum(['stored', 'erased', 'expired']).nullable(),
  text_until: timestamp.nullable(),
  erases: z.int().positive().nullable(),
});
export type TriageStep = z.infer<typeof triageStep>;

/** `GET …/triage/{position}`: with every step, oldest first. */
export const findingTriage = triagedFinding.extend({ ...ofRun, steps: z.array(triageStep) });
export type FindingTriage = z.infer<typeof findingTriage>;

/** How many findings of a run are in which state; `assigned` and `overdue` are those of `open` that are. */
export const triageCounts = z.strictObject({
  open: z.int().nonnegative(),
  assigned: z.int().nonnegative(),
  resolved: z.int().nonnegative(),
  overdue: z.int().nonnegative().optional(),
});
export type TriageCounts = z.infer<typeof triageCounts>;

/** `GET …/triage`. `counts` are of the whole run, whatever the filters. */
export const triagedFindingList = pageOf(triagedFinding).extend({ ...ofRun, counts: triageCounts });

/** How that list is ordered: as the findings' root has them, or by when they are due, those at no time last. */
export const TRIAGE_ORDERS = ['position', 'due'] as const;
export type TriageOrder = (typeof TRIAGE_ORDERS)[number];

/**
 * Filters of that list. `assignee`: the id of a member, `me`, or `none`. `overdue`: `true` for those that are open and
 * were due before now, `false` for all others.
 */
export const triageFilters = {
  type: findingType.optional(),
  state: triageState.optional(),
  assignee: z.union([z.literal('me'), z.literal('none'), anyUuid]).optional(),
  due_before: dateTime.optional(),
  overdue: z.enum(['true', 'false']).optional(),
  sort: z.enum(TRIAGE_ORDERS).optional(),
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
