import * as z from 'zod';
import { decimal } from './pages.ts';
import { key, OPEN_VALUES, timestamp, uuid } from './primitives.ts';

/** Most days that one overview covers: ten years. */
export const OVERVIEW_DAYS_MAX = 3660;
/** Days of an overview that names no number. */
export const OVERVIEW_DAYS_DEFAULT = 30;
/** Applications that an overview shows each by itself; the others are one sum. */
export const OVERVIEW_APPLICATIONS_MAX = 8;
/** Of each kind, how many things that need somebody are named; the count has all. */
export const ATTENTION_NAMED_MAX = 20;

/** Everything that may need somebody, the most pressing first. */
export const ATTENTION_KINDS = [
  'answers_missing',
  'anchor_failing',
  'renewal_failing',
  'witness_failing',
  'clock_not_believed',
  'sweep_held',
  'jobs_given_up',
  'stream_failing',
  'approvals_waiting',
  'nobody_vouches',
  'findings_overdue',
  'token_ends',
  'findings_unassigned',
  'holds_in_force',
  'sign_in_link_ends',
  'telemetry_refused',
  'telemetry_unattached',
] as const;
/** What needs somebody. */
export const attentionKind = z.enum(ATTENTION_KINDS).meta(OPEN_VALUES);
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** One thing that needs somebody. */
export const attentionItem = z.strictObject({
  kind: attentionKind,
  /** `high`: evidence is being lost or may be. `medium`: something will fail. `low`: something is worth a look. */
  severity: z.enum(['high', 'medium', 'low']),
  /** How many answers, findings, jobs or items it is about; counted to 10,000. */
  count: z.int().nonnegative(),
  /** Since when, or of when the oldest is. */
  since: timestamp.nullable(),
  /** When it ends, for what ends. */
  until: timestamp.nullable(),
  application_key: z.string().nullable(),
  /** The anchor, witness, stream, token, member or sweep that it is about. */
  name: z.string().nullable(),
  /** The run, stream, token or member that solves it. */
  object_id: uuid.nullable(),
  /** The same in a sentence, in English. */
  sentence: z.string(),
  /** Where it is solved: a path below the address of the console. */
  place: z.string(),
});
export type AttentionItem = z.infer<typeof attentionItem>;

/** How days are put together: an overview of many days has weeks or months. */
export const overviewUnit = z.enum(['day', 'week', 'month']);

/** The answers of one application that were recorded in one day, week or month. */
export const overviewCounts = z.strictObject({
  /** The first day, in UTC. */
  from: z.iso.date(),
  /** Null: all applications that are not shown by themselves. */
  application_key: z.string().nullable(),
  recorded: z.int().nonnegative(),
  /** Of `recorded`, those that were corrected since, on whatever day; a record may be in all three. */
  corrected: z.int().nonnegative(),
  voided: z.int().nonnegative(),
  redacted: z.int().nonnegative(),
  /** Distinct references of lists that name an answer of these days, as of the newest list of each window. */
  listed: z.int().nonnegative(),
  /** Of `listed`, those without a record. */
  missing: z.int().nonnegative(),
  /** Readings of texts on these days; null for callers who may not read the log of them. */
  readings: z.int().nonnegative().nullable(),
});
export type OverviewCounts = z.infer<typeof overviewCounts>;

/** Query of `GET /api/overview`. */
export const overviewQuery = z.strictObject({
  days: decimal(1, OVERVIEW_DAYS_MAX).optional(),
  application_key: key.optional(),
});

/** `GET /api/overview`. */
export const overview = z.strictObject({
  now: timestamp,
  /** What needs somebody, the most pressing first. */
  attention: z.array(attentionItem),
  /** How far the log is vouched for. Sizes are numbers of entries. */
  log: z.strictObject({
    tree_size: z.int().nonnegative(),
    published_size: z.int().nonnegative(),
    published_at: timestamp.nullable(),
    /** The largest tree with the quorum of witnesses; null where the policy asks for none. */
    witnessed_size: z.int().nonnegative().nullable(),
    /** The largest tree with the anchors that are demanded, outside of this machine; null where the policy has none. */
    anchored_size: z.int().nonnegative().nullable(),
    /** Entries that nobody outside vouches for yet, and since when the oldest of them is there. */
    exposed_entries: z.int().nonnegative(),
    exposed_since: timestamp.nullable(),
  }),
  /** Texts whose time comes within seven days, counted to 10,000. */
  erasure: z.strictObject({ due: z.int().nonnegative(), due_relation: z.enum(['eq', 'gte']) }),
  /** As of when the counts are, of the first `entries` entries of the log. Null before background work has counted. */
  counted: z.strictObject({ as_of: timestamp.nullable(), entries: z.int().nonnegative() }),
  unit: overviewUnit,
  from: z.iso.date(),
  to: z.iso.date(),
  counts: z.array(overviewCounts),
});
export type Overview = z.infer<typeof overview>;
