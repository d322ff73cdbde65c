import * as z from 'zod';

/** More than any tree that a renewal is made over has; bounds what a verifier reads. */
const GROUPS_MAX = 64;

/**
 * The place of a hash in a hash tree of RFC 4998, its `reducedHashtree`: groups of hashes in hex, from the leaf up. The
 * first has the hash itself, and each later one lacks the hash of the one before.
 */
const archivePath = z
  .array(
    z
      .array(z.string().regex(/^[0-9a-f]{64}$/))
      .min(1)
      .max(GROUPS_MAX),
  )
  .min(1)
  .max(GROUPS_MAX);

/**
 * A later time-stamp over earlier ones: over the root of a hash tree of RFC 4998 whose leaves are hashes of tokens, of
 * the newest anchored checkpoint, and of revocation lists and responses of OCSP of the time.
 */
export const bundleRenewal = z.strictObject({
  /** The anchor whose authority made it. */
  anchor_id: z.string(),
  type: z.literal('rfc3161'),
  /** Standard base64, unwrapped: the DER TimeStampResp. */
  artefact: z.string(),
  /** The places of the tokens that it covers. */
  paths: z.array(archivePath),
  /** Revocation lists (RFC 5280) and responses of OCSP (RFC 6960), DER in base64, that were kept when it was made. */
  revocation_lists: z.array(z.strictObject({ list: z.string(), path: archivePath })),
});
export type BundleRenewal = z.infer<typeof bundleRenewal>;
