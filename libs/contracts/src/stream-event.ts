import * as z from 'zod';
import { actor } from './actors.ts';
import { openObject } from './json.ts';
import { timestamp, uuid } from './primitives.ts';

/** The form of plain events. A later form gets another name. */
export const STREAM_EVENT_FORMAT = 'answer-evidence/stream-event/v1';

/**
 * One entry of the log as a stream sends it: ids, words of the service, actors and commitments, and no text of a
 * record. Later versions may add members.
 */
export const streamEvent = z.strictObject({
  format: z.literal(STREAM_EVENT_FORMAT),
  workspace_id: uuid,
  workspace: z.string(),
  /** Place of the entry in the log, from 0 on; null for a test. Entries arrive in its order. */
  leaf_index: z.int().nonnegative().nullable(),
  /** Type of the entry, `test`, or null where the row that says it is missing. */
  type: z.string().nullable(),
  id: uuid.nullable(),
  /** What the entry is about: a record, an asset, the log or the workspace. */
  subject: uuid.nullable(),
  time: timestamp.nullable(),
  actor: actor.nullable(),
  /** What happened, in English. */
  sentence: z.string(),
  /** Members of the core of the entry, by its type. */
  about: openObject,
  /** The exact text of the leaf and its hash in the tree, as they are stored; null where they are missing. */
  entry: z.string().nullable(),
  leaf_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  /** What is wrong with the stored entry; null for one as it was written. */
  damage: z.string().nullable(),
});
export type StreamEvent = z.infer<typeof streamEvent>;
