import * as z from 'zod';
import { anchorConfig, anchorRequest, anchorType, listedAnchorType } from './anchor-types.ts';
import { pageOf } from './pages.ts';
import { timestamp, uuid } from './primitives.ts';
import { renewalHash } from './renewals.ts';
import { atMost } from './text-length.ts';

/** Most anchors of one policy. */
export const ANCHORS_MAX = 8;
/** Longest text of a witness policy, in UTF-16 code units. */
export const WITNESS_POLICY_LENGTH_MAX = 64 * 1024;

/** With what a log signs its checkpoints: Ed25519 alone, or ML-DSA-44 beside it. */
export const logSignatures = z.enum(['ed25519', 'hybrid']);
export type LogSignatures = z.infer<typeof logSignatures>;

/** How much has to vouch for a log from outside, as every core states it. */
const firstFields = {
  /** How often the grown tree is published. */
  checkpoint_interval_seconds: z.int().min(1).max(86_400),
  /** How often a published checkpoint is anchored. */
  anchor_interval_seconds: z
    .int()
    .min(60)
    .max(30 * 86_400),
  anchors: z.array(anchorConfig).max(ANCHORS_MAX),
  /** The least number of external anchors that must confirm. Each `required` anchor counts, and must be among them. */
  anchors_required: z.int().min(0).max(ANCHORS_MAX),
  /** C2SP tlog-policy text; its `log` lines are not used. */
  witness_policy: z.string().check(atMost(WITNESS_POLICY_LENGTH_MAX)),
  /** Whether `/tlog/…` is readable without a token. */
  public_log: z.boolean(),
};

/** What came later, and what holds while a core does not state it. */
const LATER_DEFAULTS = { log_signatures: 'ed25519' as LogSignatures };
const storedPolicy = z.strictObject({
  ...firstFields,
  log_signatures: logSignatures.exclude(['ed25519']).optional(),
});
const fields = { ...firstFields, log_signatures: logSignatures };

/**
 * The trust policy of a workspace, without its version. Decoding reads it as a core states it, encoding writes it so: a
 * later field is absent while it has its default (decision 0099).
 */
export const trustPolicyValues = z.codec(storedPolicy, z.strictObject(fields), {
  decode: (stored) => ({ ...LATER_DEFAULTS, ...stored }),
  encode: ({ log_signatures: signatures, ...first }) =>
    signatures === 'ed25519' ? first : { ...first, log_signatures: signatures },
});
export type TrustPolicyValues = z.infer<typeof trustPolicyValues>;

/** `GET /api/trust/policy`. Version 0 is the policy of a workspace that never changed it. */
export const trustPolicy = z.strictObject({
  ...fields,
  version: z.int().nonnegative(),
  updated_at: timestamp.nullable(),
});
export type TrustPolicy = z.infer<typeof trustPolicy>;

/**
 * The policy as evidence shows it. It has no later field: which keys sign, the trust file says, and readers of earlier
 * releases know the first fields alone.
 */
export const shownTrustPolicy = z.strictObject({
  ...firstFields,
  version: z.int().nonnegative(),
  updated_at: timestamp.nullable(),
});
export type ShownTrustPolicy = z.infer<typeof shownTrustPolicy>;

/** Body of `PUT /api/trust/policy`: the whole policy; a `version` must be the current one. */
export const putTrustPolicyRequest = z.strictObject({
  ...fields,
  anchors: z.array(anchorRequest).max(ANCHORS_MAX, `must be at most ${ANCHORS_MAX} anchors`),
  /** Left out, it stays as it is. */
  log_signatures: logSignatures.optional(),
  version: z.int().nonnegative().optional(),
  /** As `GET` returned it; not looked at. */
  updated_at: timestamp.nullable().optional(),
});
export type PutTrustPolicyRequest = z.infer<typeof putTrustPolicyRequest>;

/** What a new workspace starts with, as evidence shows it: nothing outside of the service vouches for it. */
export const DEFAULT_SHOWN_POLICY: Omit<ShownTrustPolicy, 'version' | 'updated_at'> = {
  checkpoint_interval_seconds: 10,
  anchor_interval_seconds: 3_600,
  anchors: [],
  anchors_required: 0,
  witness_policy: 'quorum none\n',
  public_log: false,
};

/** The same with what came later. */
export const DEFAULT_TRUST_POLICY: TrustPolicyValues = { ...DEFAULT_SHOWN_POLICY, ...LATER_DEFAULTS };

/** How far an anchor has come. `failed`: given up; a later checkpoint is anchored instead. */
export const anchorState = z.enum(['pending', 'confirmed', 'failed']);
export type AnchorState = z.infer<typeof anchorState>;

/** One attempt to anchor a checkpoint; all of them are kept. */
export const anchorAttempt = z.strictObject({
  attempt: z.int().positive(),
  at: timestamp,
  outcome: z.enum(['confirmed', 'failed']),
  detail: z.string(),
});

/** One anchor of one published checkpoint. */
export const anchorItem = z.strictObject({
  id: uuid,
  anchor_id: z.string(),
  type: listedAnchorType,
  tree_size: z.int().nonnegative(),
  /**
   * SHA-256 of the checkpoint text, hex: what was anchored. Of a renewal, the root of its tree, which may be of
   * SHA-512.
   */
  digest: z.string(),
  state: anchorState,
  /** Of a renewal alone: how many hashes of earlier time-stamps and of what was kept with them it covers. */
  renews: z.int().nonnegative().optional(),
  created_at: timestamp,
  /** The time that the anchor itself states, where it states one. */
  anchored_at: timestamp.nullable(),
  next_attempt_at: timestamp.nullable(),
  attempts: z.array(anchorAttempt),
});
export type AnchorItem = z.infer<typeof anchorItem>;

/** `GET /api/trust/anchors`, newest first. */
export const anchorList = pageOf(anchorItem);

/** One witness's cosignature of a checkpoint. */
export const checkpointCosignature = z.strictObject({
  witness: z.string(),
  vkey: z.string(),
  /** Seconds since 1970, as the witness signed them. */
  time: z.int().nonnegative(),
});

/** One published checkpoint. */
export const checkpointItem = z.strictObject({
  tree_size: z.int().nonnegative(),
  root_hash: z.string(),
  published_at: timestamp,
  /** The signed note with the cosignatures that were collected. */
  note: z.string(),
  cosignatures: z.array(checkpointCosignature),
  /** Whether the cosignatures reach the quorum of the policy in force; null when it asks for none. */
  quorum_reached: z.boolean().nullable(),
});
export type CheckpointItem = z.infer<typeof checkpointItem>;

/** `GET /api/trust/checkpoints`, newest first. */
export const checkpointList = pageOf(checkpointItem);

/** How a witness of the policy does. */
export const witnessItem = z.strictObject({
  name: z.string(),
  vkey: z.string(),
  url: z.string().nullable(),
  /** The largest tree that it has cosigned. */
  tree_size: z.int().nonnegative().nullable(),
  failures: z.int().nonnegative(),
  last_error: z.string().nullable(),
  next_attempt_at: timestamp.nullable(),
});
export type WitnessItem = z.infer<typeof witnessItem>;

/** `GET /api/trust/witnesses`, in the order of the policy. */
export const witnessList = z.strictObject({ items: z.array(witnessItem) });

/**
 * Body of `POST /api/trust/anchors/run`: with `renew`, all time-stamps are renewed instead, because an algorithm or an
 * authority weakens; with `hash` as well, by that hash from then on, because SHA-256 weakens.
 */
export const runAnchorsRequest = z
  .strictObject({ renew: z.boolean().optional(), hash: renewalHash.optional() })
  .refine(({ renew, hash }) => hash === undefined || renew === true, {
    path: ['hash'],
    error: 'must be left out without `renew`: a hash is chosen for renewals alone',
  });

export type RunAnchorsRequest = z.infer<typeof runAnchorsRequest>;

/** `POST /api/trust/anchors/run`: the request is kept and is carried out by the trust worker. */
export const anchorRunAccepted = z.strictObject({ accepted: z.literal(true), job_id: uuid });

/** An anchor's artefact as a bundle carries it, over the bundle's checkpoint. */
export const bundleAnchor = z.strictObject({
  anchor_id: z.string(),
  type: anchorType,
  /** Standard base64, unwrapped: the DER TimeStampResp of `rfc3161`, else JSON. */
  artefact: z.string(),
});
export type BundleAnchor = z.infer<typeof bundleAnchor>;
