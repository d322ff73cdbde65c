import { ServiceError } from '@answer-evidence/contracts';
import { equalBytes } from '@answer-evidence/encoding';
import type { IdempotencyRow } from '@answer-evidence/tables';
import type { Decision, LogState, StateQuery } from '../append-command.ts';

/** The row of an idempotency key, and what the same request has for a fingerprint under version 1 of the rule. */
export type IdempotencyClaim = { readonly row: IdempotencyRow; readonly fingerprintV1: () => Uint8Array };

/** Fingerprints of version 1 are the HMAC alone; before those of a later version stands a byte with the version. */
const FINGERPRINT_V1_BYTES = 32;

/** The stored form of a fingerprint of version 2, from its HMAC of 32 bytes. */
export function formatFingerprint(hmac: Uint8Array): Uint8Array {
  const stored = new Uint8Array(1 + hmac.length);
  stored[0] = 2;
  stored.set(hmac, 1);
  return stored;
}

/** The claim of a row whose fingerprint is of version 1. */
export function claimVersion1(row: IdempotencyRow): IdempotencyClaim {
  return { row, fingerprintV1: () => row.fingerprint };
}

/** Whether the request that left this fingerprint is equivalent, by the rule of that time. */
export function isSameRequest(stored: Uint8Array, present: Uint8Array, fingerprintV1: () => Uint8Array): boolean {
  const isV1 = stored.length === FINGERPRINT_V1_BYTES && present.length !== FINGERPRINT_V1_BYTES;
  return equalBytes(stored, isV1 ? fingerprintV1() : present);
}

/** A replay or a conflict when the key was used before; judged before every rule of settings, binding and time. */
export function decideReplay(view: LogState, claim: IdempotencyClaim | null): Decision | undefined {
  if (claim === null) return undefined;
  const { row, fingerprintV1 } = claim;
  const found = view.findIdempotency(row.scope, row.idempotency_key);
  if (found === undefined) return undefined;
  if (isSameRequest(found.fingerprint, row.fingerprint, fingerprintV1))
    return { kind: 'replay', objectId: found.objectId };
  return {
    kind: 'refuse',
    error: new ServiceError(
      'idempotency_payload_mismatch',
      'this idempotency key was used with another payload; do not retry: use a new key for a new request',
    ),
  };
}

/** What a command reads for its key. */
export function readsOf(claim: IdempotencyClaim | null): Pick<StateQuery, 'idempotency'> {
  return claim === null ? {} : { idempotency: { scope: claim.row.scope, key: claim.row.idempotency_key } };
}
