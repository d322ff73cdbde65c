import * as z from 'zod';
import { pageOf } from './pages.ts';
import { timestamp, uuid } from './primitives.ts';
import { problemCode } from './problems.ts';
import { atMost } from './text-length.ts';

/**
 * Every topic and where its jobs come from: `workspace` jobs are written into the outbox with the data that they are
 * about; `scheduled` ones come again and again, for the whole installation. A new topic is a line here, and one with
 * jobs under way is never renamed.
 */
export const JOB_TOPICS = {
  'trust.publish': 'scheduled',
  'trust.witness': 'scheduled',
  'trust.anchor': 'scheduled',
  'trust.run': 'workspace',
  'trust.renew': 'workspace',
  'trust.hash': 'workspace',
  'reconcile.run': 'workspace',
  'otlp.attach': 'workspace',
  'otlp.wait': 'scheduled',
  'notifications.deliver': 'workspace',
  'evidence.purge': 'workspace',
  'evidence.sweep': 'scheduled',
} as const;

/** What a job is about. */
export type JobTopic = keyof typeof JOB_TOPICS;
/** A topic whose jobs belong to a workspace and go through the outbox. */
export type WorkspaceTopic = { [T in JobTopic]: (typeof JOB_TOPICS)[T] extends 'workspace' ? T : never }[JobTopic];
/** A topic whose jobs a schedule makes. */
export type ScheduledTopic = Exclude<JobTopic, WorkspaceTopic>;

/** Whether jobs of this topic belong to a workspace. */
export function isWorkspaceTopic(topic: JobTopic): topic is WorkspaceTopic {
  return JOB_TOPICS[topic] === 'workspace';
}

/** Whether this release knows the topic; a job of another release's topic is left to that release. */
export function isJobTopic(text: string): text is JobTopic {
  return Object.hasOwn(JOB_TOPICS, text);
}

/** What a job is about. */
export const jobTopic = z.custom<JobTopic>((value) => typeof value === 'string' && isJobTopic(value), {
  error: 'must be a topic of this release',
});

/**
 * A job as it travels: ids only, since queues keep their contents in clear. `id` is the outbox row's, or names the run
 * of a schedule. `workspace_id` is null exactly for scheduled jobs. `subject` is the one object that it is about, or
 * null when the workspace or the installation is.
 */
export const job = z
  .strictObject({
    id: z.string().min(1).check(atMost(200)),
    topic: jobTopic,
    workspace_id: uuid.nullable(),
    subject: uuid.nullable(),
  })
  .refine((value) => (value.workspace_id === null) === !isWorkspaceTopic(value.topic), {
    error: 'only a scheduled job has no workspace',
  });
/** A job as it travels. */
export type Job = Readonly<z.infer<typeof job>>;

/** Why a job was given up: a code, and a sentence without submitted text. */
export const deadLetterReason = z.strictObject({ code: problemCode, detail: z.string() });
/** Why a job was given up. */
export type DeadLetterReason = Readonly<z.infer<typeof deadLetterReason>>;

/** A job that was given up and waits for a manager to have it tried again. */
export const deadLetter = z.strictObject({
  id: uuid,
  topic: z.string(),
  subject: uuid.nullable(),
  attempts: z.int().nonnegative(),
  reason: deadLetterReason,
  created_at: timestamp,
  failed_at: timestamp,
});
export type DeadLetter = z.infer<typeof deadLetter>;
/** `GET /api/dead-letters`, last failed first. */
export const deadLetterList = pageOf(deadLetter);
/** What the replay of a dead letter answers: the job is in the outbox again, by this request or by one before. */
export const deadLetterReplay = z.strictObject({ id: uuid, topic: z.string(), replayed_at: timestamp });
export type DeadLetterReplay = z.infer<typeof deadLetterReplay>;
