import * as z from 'zod';
import { anchorType, isEntryAnchor, isTokenAnchor, TOKEN_ANCHORS } from './anchor-types.ts';
import { eventCore, recordCore } from './cores.ts';
import { openObject } from './json.ts';
import { uuid } from './primitives.ts';
import { recordStatus } from './records.ts';
import { bundleRenewal } from './renewals.ts';
import { atMost } from './text-length.ts';
import { ANCHORS_MAX, bundleAnchor, shownTrustPolicy } from './trust.ts';

const salt = z.string().regex(/^[0-9a-f]{32}$/);
/** One disclosed item with the salt of its hash, or null in the place of one that is gone. */
const disclosedItem = z.strictObject({ salt, item: openObject }).nullable();
/** A disclosed text; `key` is the record's own HMAC key in hex for a keyed commitment. It opens only this record. */
const disclosedText = z
  .strictObject({
    text: z.string(),
    key: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
  })
  .nullable();

const provenLeaf = {
  leaf_index: z.int().nonnegative(),
  /** The exact text of the leaf. */
  entry: z.string(),
  /** The leaf hash as the service stored it, hex. */
  leaf_hash: z.string(),
  /** A whole C2SP tlog-proof of the leaf, to the bundle's checkpoint. */
  proof: z.string(),
};

/** One event of a bundle. */
export const bundleEvent = z.strictObject({
  ...provenLeaf,
  core: eventCore,
  disclosed: z.strictObject({
    reason: z.strictObject({ salt, item: z.string() }).nullable(),
    payload_rest: z.strictObject({ salt, item: openObject }).nullable(),
    corrected_text: disclosedText,
  }),
});
export type BundleEvent = z.infer<typeof bundleEvent>;

/** An entry about the record that is neither its creation nor a lifecycle event, such as `text_expired`. */
export const bundleAttachment = z.strictObject({ ...provenLeaf, core: openObject });

/**
 * The accesses that a record binds, and what they were accesses to. Cores are open: what is wrong with one is a matter
 * of the check. Of each asset, `segments` are those that an access names, with their places in the tree of its segments
 * (hashes in hex, from the leaf up), and `erasures` are the `evidence_redacted` and `evidence_expired` about it.
 * `disclosed` is null in what the service hands out: a text of evidence leaves it through an access, which is logged;
 * anyone who has retrieved one may put it here with its salt.
 */
export const bundleEvidence = z.strictObject({
  accesses: z.array(z.strictObject({ ...provenLeaf, core: openObject })),
  assets: z.array(
    z.strictObject({
      registered: z.strictObject({ ...provenLeaf, core: openObject }),
      segments: z.array(
        z.strictObject({
          index: z.int().nonnegative(),
          segment_id: z.string(),
          hash: z.string(),
          proof: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
          disclosed: z.strictObject({ salt, text: z.string() }).nullable(),
        }),
      ),
      erasures: z.array(z.strictObject({ ...provenLeaf, core: openObject })),
    }),
  ),
});
export type BundleEvidence = z.infer<typeof bundleEvidence>;

/**
 * Holds that cover or covered the record: their `hold_placed` and `hold_released` entries, in the order of the log.
 * Cores are open, as those of evidence are.
 */
export const bundleHolds = z.array(z.strictObject({ ...provenLeaf, core: openObject }));
export type BundleHolds = z.infer<typeof bundleHolds>;

/** A key that signed the log, and the tree sizes for which it did. */
export const logKey = z.strictObject({
  vkey: z.string(),
  first_tree_size: z.int().nonnegative(),
  last_tree_size: z.int().nonnegative().nullable(),
});
export type LogKey = z.infer<typeof logKey>;

/** `GET /api/trust/proofs/answers/{answer_log_id}`: all an offline verifier needs, none of it to be believed. */
export const proofBundle = z.strictObject({
  format: z.literal('answer-evidence-bundle/v1'),
  origin: z.string(),
  workspace_id: uuid,
  record: z.strictObject({
    ...provenLeaf,
    core: recordCore,
    disclosed: z.strictObject({
      question: disclosedText,
      answer: disclosedText,
      semantic_refs: z.array(disclosedItem),
      source_refs: z.array(disclosedItem),
    }),
  }),
  status: recordStatus,
  events: z.array(bundleEvent),
  attachments: z.array(bundleAttachment),
  /** Left out where the record binds no access, and in bundles of earlier releases. */
  evidence: bundleEvidence.optional(),
  /**
   * Left out where nobody states them: in bundles of earlier releases, of proof links, and for callers who may not see
   * holds. Empty where no hold ever covered the record.
   */
  holds: bundleHolds.optional(),
  /** The signed checkpoint that every proof in the bundle leads to, with any cosignatures. */
  checkpoint: z.string(),
  /** Artefacts of anchors over that very checkpoint. */
  anchors: z.array(bundleAnchor),
  /** Later time-stamps over the tokens in `anchors`, oldest first. Left out where there is none. */
  renewals: z.array(bundleRenewal).optional(),
  log_keys: z.array(logKey),
  /** The trust policy in force, for the reader; what a verifier demands is in its trust file. */
  policy: shownTrustPolicy.nullable(),
});
export type ProofBundle = z.infer<typeof proofBundle>;

/**
 * The same with `?texts=withheld`: no text of question, answer and corrections is in it, whether or not it is gone.
 * Everything else is as in version 1.
 */
export const withheldBundle = z
  .strictObject({
    ...proofBundle.shape,
    format: z.literal('answer-evidence-bundle/v2'),
    /** What was left out because the caller did not want it. */
    withheld: z.array(z.literal('texts')).length(1),
  })
  .meta({ 'x-asked-by': 'texts=withheld' });
export type WithheldBundle = z.infer<typeof withheldBundle>;

/** A bundle of any version. */
export const anyBundle = z.discriminatedUnion('format', [proofBundle, withheldBundle]);
export type AnyBundle = z.infer<typeof anyBundle>;

/** Query of `GET /api/trust/proofs/answers/{answer_log_id}`: `withheld` leaves the texts out. */
export const proofQuery = z.strictObject({ texts: z.literal('withheld').optional() });

/** An anchor that a verifier demands. */
export const pinnedAnchor = z
  .strictObject({
    anchor_id: z.string(),
    type: anchorType,
    required: z.boolean(),
    /** Certificates in PEM that tokens of this anchor must lead to; null where the type has none. */
    certificate_pem: z.string().nullable(),
    /** Keys of logs that entries of this anchor must be under; left out where the type has none. */
    log_keys: z.string().optional(),
  })
  .refine(({ type, certificate_pem: pem }) => isTokenAnchor({ type }) || pem === null, {
    path: ['certificate_pem'],
    error: `must be null unless the type is ${TOKEN_ANCHORS.join(' or ')}`,
  })
  .refine(({ type, log_keys: keys }) => isEntryAnchor({ type }) === (keys !== undefined), {
    path: ['log_keys'],
    error: 'must be there if the anchor is a log, and only then',
  });
export type PinnedAnchor = z.infer<typeof pinnedAnchor>;

/** The pins of a verifier: which keys it believes for which log. Never taken from a bundle. */
export const trustFile = z.strictObject({
  format: z.literal('answer-evidence-trust/v1'),
  logs: z.array(z.strictObject({ origin: z.string(), keys: z.array(logKey).min(1) })).min(1),
  /** C2SP tlog-policy text: whose cosignatures are demanded, and how many. */
  witness_policy: z.string().nullable(),
  /** Certificates in PEM that tokens of any time-stamping authority may lead to. */
  tsa_roots: z.array(z.string()),
  /** The anchors that are demanded, each with its own roots; absent in files that only pin roots. */
  anchors: z.array(pinnedAnchor).optional(),
  /** How many external anchors must be confirmed besides each required one; at least one is. */
  anchors_required: z.int().min(0).max(ANCHORS_MAX).optional(),
});
export type TrustFile = z.infer<typeof trustFile>;

/** What a key of a log signs with. */
export const logKeyAlgorithm = z.enum(['ed25519', 'ml-dsa-44']);
export type LogKeyAlgorithm = z.infer<typeof logKeyAlgorithm>;

/**
 * A key of a log, as the API lists it. While two of one algorithm are live the older one is active and the newer one is
 * next.
 */
export const logKeyItem = z.strictObject({
  ...logKey.shape,
  /** Services before ML-DSA-44 leave it out: their keys are of Ed25519. */
  algorithm: logKeyAlgorithm.default('ed25519'),
  purpose: z.literal('checkpoint'),
  state: z.enum(['next', 'active', 'retired']),
});
export type LogKeyItem = z.infer<typeof logKeyItem>;

/** An ML-DSA-44 key has 1,752 characters of base64 after its name. */
const VKEY_LENGTH_MAX = 3_000;

/** Body of `POST /api/trust/keys/retire`: the live key that signs no more. */
export const retireLogKeyRequest = z.strictObject({ vkey: z.string().min(1).check(atMost(VKEY_LENGTH_MAX)) });

/** Body of `POST /api/trust/keys`: what the new key signs with; Ed25519 if nothing is said. */
export const addLogKeyRequest = z.strictObject({ algorithm: logKeyAlgorithm.optional() });
export type AddLogKeyRequest = z.infer<typeof addLogKeyRequest>;

/** `GET /api/trust/keys`. */
export const logKeyList = z.strictObject({
  origin: z.string(),
  items: z.array(logKeyItem),
  /** Names that the log had before it lost what was signed under them, oldest first; no longer used for signing. */
  earlier: z.array(z.strictObject({ origin: z.string(), keys: z.array(logKey).min(1) })),
});
export type LogKeyList = z.infer<typeof logKeyList>;
