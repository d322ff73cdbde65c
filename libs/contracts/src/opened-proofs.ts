import * as z from 'zod';
import { trustFile } from './bundles.ts';
import { openObject } from './json.ts';
import { timestamp } from './primitives.ts';
import { proofLinkShows } from './proof-links.ts';

/** A leaf of the log with the core that it commits to, and the receipt (C2SP tlog-proof) of its place. */
const provenCommitment = z.strictObject({ entry: z.string(), core: openObject, proof: z.string() });
export type ProvenCommitment = z.infer<typeof provenCommitment>;

/** What a link shows to anyone who has it. */
export const openedProof = z.strictObject({
  format: z.literal('answer-evidence-proof/v1'),
  workspace: z.string(),
  origin: z.string(),
  shows: proofLinkShows,
  opened_at: timestamp,
  expires_at: timestamp,
  /** The keys that the log says it has: compare them with its owner's. */
  trust: trustFile,
  /** The proof bundle of the record; null where only commitments are shown. */
  bundle: openObject.nullable(),
  /** Everything that the log holds of the record, without a text, a source or a reason; null where a bundle is. */
  commitments: z.array(provenCommitment).nullable(),
});
export type OpenedProof = z.infer<typeof openedProof>;
