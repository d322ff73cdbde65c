import * as z from 'zod';
import { knownPayload } from './cores.ts';
import { timestamp, uuid } from './primitives.ts';

const rootHash = z.string().regex(/^[0-9a-f]{64}$/);
const treeSize = z.int().nonnegative();

/** A head that is kept outside of the database; its name says its epoch, size and root as well. */
export const storedHead = z.strictObject({
  workspace_id: uuid,
  origin: z.string(),
  tree_size: treeSize,
  root_hash: rootHash,
  /** Which database cluster the log was in. */
  system_identifier: z.string(),
});
export type StoredHead = z.infer<typeof storedHead>;

/**
 * The second form of a head, in files of another name: also on which timeline the server was, and for which standbys
 * its commits waited, as `synchronous_standby_names` said; empty for none.
 */
export const storedServerHead = storedHead.extend({
  timeline: z.int().positive(),
  synchronous_standby_names: z.string(),
});

/** That a log was accepted as it was, because no head of it was kept. */
export const storedAdoption = storedHead.extend({ adopted_at: timestamp });

/** That an operator has said that the database will never have this log, of which the head is kept. */
export const storedForgetting = storedHead.extend({ forgotten_at: timestamp });

/** What an outside party holds against a log. */
export const storedClaim = z.strictObject({
  workspace_id: uuid,
  origin: z.string(),
  party: z.string(),
  tree_size: treeSize,
  /** Of the tree that the party has seen, where it shows that; a claim of a witness has none. */
  root_hash: rootHash.optional(),
  /** Where it can be looked at. */
  seen_at: z.string().optional(),
  held_size: treeSize,
});

/** A redaction up to a kept head: one line of JSON. */
export const storedRedaction = z.strictObject({ record_id: uuid, event_id: uuid, payload: knownPayload });

/** The first form, one file per workspace: its newest head, and the last of each earlier name. Read, never written. */
export const storedHeadFile = storedHead.extend({
  ended: z.array(z.strictObject({ origin: z.string(), tree_size: z.int(), root_hash: z.string() })).optional(),
});
