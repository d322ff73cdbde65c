import { ServiceError } from '@answer-evidence/contracts';
import { equalSecrets } from '@answer-evidence/digest';
import { concatBytes } from '@answer-evidence/encoding';
import type { IdempotencyRow, RecordRow } from '@answer-evidence/tables';
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

/** How much of its HMAC the fingerprint of a record has. Those of before, of events and of evidence have 32 bytes. */
const SHORT_HMAC_BYTES = 16;

/** The fingerprint as a record keeps it: the version, and the first half of the HMAC. */
export function shortenFingerprint(fingerprint: Uint8Array): Uint8Array {
  const { version, hmac } = partsOf(fingerprint);
  return concatBytes(Uint8Array.of(version), hmac.subarray(0, SHORT_HMAC_BYTES));
}

function partsOf(fingerprint: Uint8Array): { readonly version: number; readonly hmac: Uint8Array } {
  const [version = 0] = fingerprint;
  return fingerprint.length === FINGERPRINT_V1_BYTES
    ? { version: 1, hmac: fingerprint }
    : { version, hmac: fingerprint.subarray(1) };
}

/** Whether two fingerprints are of one request, whichever of them are short. */
export function isSameFingerprint(one: Uint8Array, other: Uint8Array): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  const bytes = Math.min(a.hmac.length, b.hmac.length);
  return (
    a.version === b.version &&
    bytes >= SHORT_HMAC_BYTES &&
    equalSecrets(a.hmac.subarray(0, bytes), b.hmac.subarray(0, bytes))
  );
}

/** The claim of a row whose fingerprint is of version 1. */
export function claimVersion1(row: IdempotencyRow): IdempotencyClaim {
  return { row, fingerprintV1: () => row.fingerprint };
}

/** How much a record keeps of the MAC of its key. */
export const CLAIM_MAC_BYTES = 16;

/** What a record keeps of the row of its key, which is not stored then: half of the MAC, and the fingerprint. */
export function formatKeyClaim({ fingerprint, mac }: IdempotencyRow): Uint8Array {
  return concatBytes(mac.subarray(0, CLAIM_MAC_BYTES), fingerprint);
}

/** The scope of the keys of an application's records. */
export function recordScope(applicationKey: string): string {
  return `record:${applicationKey}`;
}

/** The row of a record's key, by what the record keeps of it; undefined where it keeps nothing. Its MAC is cut. */
export function parseKeyClaim(record: RecordRow): IdempotencyRow | undefined {
  const { application_key: application, id, idempotency_key: key, key_claim: claim } = record;
  if (claim === null) return undefined;
  return {
    scope: recordScope(application),
    // A claim without a key is damage, which no MAC goes with.
    idempotency_key: key ?? '',
    object_id: id,
    fingerprint: claim.subarray(CLAIM_MAC_BYTES),
    mac: claim.subarray(0, CLAIM_MAC_BYTES),
  };
}

/** Whether the request that left this fingerprint is equivalent, by the rule of that time. */
export function isSameRequest(stored: Uint8Array, present: Uint8Array, fingerprintV1: () => Uint8Array): boolean {
  const isBefore = partsOf(stored).version === 1 && partsOf(present).version !== 1;
  return isSameFingerprint(stored, isBefore ? fingerprintV1() : present);
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
