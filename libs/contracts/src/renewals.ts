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
      .array(z.string().regex(/^(?:[0-9a-f]{64}|[0-9a-f]{128})$/))
      .min(1)
      .max(GROUPS_MAX),
  )
  .min(1)
  .max(GROUPS_MAX);

/** What the hash tree of a renewal is made with, where it is not SHA-256. */
export const renewalHash = z.literal('sha-512');
/** How many hexadecimal digits a hash has. */
const [SHA256_DIGITS, SHA512_DIGITS] = [64, 128];

/**
 * A later time-stamp over earlier ones: over the root of a hash tree of RFC 4998 whose leaves are hashes of tokens, of
 * the newest anchored checkpoint, and of revocation lists and responses of OCSP of the time.
 */
export const bundleRenewal = z
  .strictObject({
    /** The anchor whose authority made it. */
    anchor_id: z.string(),
    type: z.literal('rfc3161'),
    /** Standard base64, unwrapped: the DER TimeStampResp. */
    artefact: z.string(),
    /**
     * Left out for SHA-256. With SHA-512 the tree is that of a hash-tree renewal (RFC 4998 section 5.3), or after one.
     */
    hash: renewalHash.optional(),
    /** The places of the tokens that it covers. */
    paths: z.array(archivePath),
    /** Revocation lists (RFC 5280) and responses of OCSP (RFC 6960), DER in base64, that were kept when it was made. */
    revocation_lists: z.array(z.strictObject({ list: z.string(), path: archivePath })),
  })
  .refine(
    ({ hash, paths, revocation_lists: lists }) =>
      [...paths, ...lists.map(({ path }) => path)]
        .flat(2)
        .every(({ length }) => length === (hash === undefined ? SHA256_DIGITS : SHA512_DIGITS)),
    { error: 'must have hashes of one kind, 64 digits each, or 128 with `hash`' },
  );
export type BundleRenewal = z.infer<typeof bundleRenewal>;
