import type { AnchorType } from '@answer-evidence/contracts';
import { bigint, bytea, integer, later, nullable, oneOf, type RowOf, table, text, uuid } from './table.ts';

/** One published checkpoint. Its note is signed anew each time it is shown, to the same bytes. */
export const PUBLISHED = table('published_checkpoints', {
  key: ['tree_size'],
  insertOnly: true,
  columns: {
    tree_size: bigint,
    root: bytea,
    policy_version: bigint,
    published_at: bigint,
    mac: bytea,
  },
});
export type PublishedRow = RowOf<typeof PUBLISHED>;

/** One witness's cosignature of a published checkpoint. */
export const COSIGNATURES = table('cosignatures', {
  key: ['tree_size', 'public_key'],
  insertOnly: true,
  columns: {
    tree_size: bigint,
    /** Ed25519, 32 bytes: witnesses are told apart by it, whatever they are called. */
    public_key: bytea,
    vkey: text,
    /** 8 bytes of time, 64 of signature. */
    signature: bytea,
    received_at: bigint,
    mac: bytea,
  },
});
export type CosignatureRow = RowOf<typeof COSIGNATURES>;

/** One anchor that a published checkpoint is to have, or a renewal of the tokens of earlier ones. */
export const ANCHORS = table('anchors', {
  key: ['id'],
  insertOnly: true,
  columns: {
    id: uuid,
    tree_size: bigint,
    anchor_id: text,
    type: oneOf<AnchorType>(),
    policy_version: bigint,
    created_at: bigint,
    mac: bytea,
    /** Of a renewal alone: the hashes that it covers, 32 bytes each. */
    covered: later(nullable(bytea)),
    /** Of a renewal alone: why it was made, and what was kept with it; JSON. */
    kept: later(nullable(text)),
  },
});
export type AnchorRow = RowOf<typeof ANCHORS>;

/** One attempt at an anchor. */
export const ATTEMPTS = table('anchor_attempts', {
  key: ['anchor', 'attempt'],
  insertOnly: true,
  columns: {
    anchor: uuid,
    attempt: integer,
    at: bigint,
    outcome: oneOf<'confirmed' | 'failed'>(),
    detail: text,
    anchored_at: nullable(bigint),
    artefact: nullable(bytea),
    mac: bytea,
    /** When the first certificate of a token ends; null where that is not known. */
    ends_at: later(nullable(bigint)),
  },
});
export type AttemptRow = RowOf<typeof ATTEMPTS>;

/** How many rows of each kind vouch for a workspace's log. */
export const ATTESTATION_COUNTS = table('trust_tallies', {
  key: [],
  columns: {
    checkpoints: bigint,
    cosignatures: bigint,
    anchors: bigint,
    attempts: bigint,
    mac: bytea,
  },
});
export type AttestationCountsRow = RowOf<typeof ATTESTATION_COUNTS>;

/** How a witness does. */
export const WITNESS_STATES = table('witness_states', {
  key: ['public_key'],
  columns: {
    public_key: bytea,
    /** The largest tree that it has cosigned. */
    tree_size: nullable(bigint),
    failures: integer,
    last_error: nullable(text),
    next_attempt_at: bigint,
  },
});
export type WitnessStateRow = RowOf<typeof WITNESS_STATES>;

/** When something is due of a part of what vouches for a log, for this tree and policy. It may be lost. */
export const TRUST_LOOKS = table('trust_looks', {
  key: ['part'],
  columns: {
    part: oneOf<'witness' | 'anchor'>(),
    /** Of the newest published tree, 0 for none. */
    tree_size: bigint,
    policy_version: bigint,
    due_at: bigint,
  },
});
export type TrustLookRow = RowOf<typeof TRUST_LOOKS>;

/** The secret of one anchor of the policy, sealed under a key of its own. */
export const ANCHOR_SECRETS = table('anchor_secrets', {
  key: ['anchor_id'],
  replaces: ['object_id', 'wrapped_key', 'secret'],
  columns: {
    anchor_id: text,
    /** What the key was made for: the entry of the change that brought the secret. */
    object_id: uuid,
    wrapped_key: bytea,
    secret: bytea,
  },
});
export type AnchorSecretRow = RowOf<typeof ANCHOR_SECRETS>;
