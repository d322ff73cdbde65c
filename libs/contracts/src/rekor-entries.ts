import * as z from 'zod';

const decimal = z.string().refine((text) => /^(?:0|[1-9][0-9]{0,15})$/.test(text) && Number.isSafeInteger(+text));

/** The artefact of an anchor of the type `rekor`: a TransparencyLogEntry in the JSON of Protocol Buffers, as JCS. */
export const rekorEntry = z.strictObject({
  /** What the log hashed, in base64. */
  canonicalizedBody: z.string(),
  inclusionProof: z.strictObject({
    /** The signed note of the log, with any cosignatures. */
    checkpoint: z.strictObject({ envelope: z.string() }),
    hashes: z.array(z.string()),
    logIndex: decimal,
    rootHash: z.string(),
    treeSize: decimal,
  }),
  kindVersion: z.strictObject({ kind: z.literal('hashedrekord'), version: z.literal('0.0.2') }),
  /** Left out by logs that do not state it: the checkpoint names the log. */
  logId: z.strictObject({ keyId: z.string() }).optional(),
  logIndex: decimal,
});
export type RekorEntry = z.infer<typeof rekorEntry>;
