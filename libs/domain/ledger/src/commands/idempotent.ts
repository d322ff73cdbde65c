import { ServiceError } from '@answer-evidence/contracts';
import { equalBytes } from '@answer-evidence/encoding';
import type { IdempotencyRow } from '@answer-evidence/tables';
import type { Decision, LogState } from '../append-command.ts';

/** A replay or a conflict when the key was used before; judged before every rule of policy, binding and time. */
export function decideReplay(view: LogState, row: IdempotencyRow | null): Decision | undefined {
  if (row === null) return undefined;
  const found = view.findIdempotency(row.scope, row.idempotency_key);
  if (found === undefined) return undefined;
  if (equalBytes(found.fingerprint, row.fingerprint)) return { kind: 'replay', objectId: found.objectId };
  return {
    kind: 'refuse',
    error: new ServiceError(
      'idempotency_payload_mismatch',
      'this idempotency key was used with another payload; do not retry: use a new key for a new request',
    ),
  };
}
