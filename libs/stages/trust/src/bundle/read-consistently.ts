import { assertApplication, type Caller } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import type { LogSnapshot, StoredRecord } from '@answer-evidence/ports';
import type { TrustParts } from '../parts.ts';
import { attachmentsOf } from './attachments-of.ts';

const ATTEMPTS_MAX = 10;

/**
 * A record and a head of the log that holds every leaf of it. The head is read first: when no leaf of the record lies beyond
 * it, then the record is exactly as of that head. Throws `not_found`, `application_not_allowed` or `ledger_unavailable`.
 */
export async function readConsistently(
  parts: Pick<TrustParts, 'records' | 'logs'>,
  caller: Caller,
  recordId: string,
): Promise<{ readonly stored: StoredRecord; readonly snapshot: LogSnapshot; readonly lastLeaf: number }> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const snapshot = await parts.logs.snapshot(caller.workspaceId);
    const stored = await parts.records.find(caller.workspaceId, recordId);
    if (stored === undefined) throw new ServiceError('not_found', 'no such record');
    assertApplication(caller, stored.record.application_key);
    const last = Math.max(
      stored.leaf.leaf_index,
      ...[...stored.events, ...attachmentsOf(stored)].map(({ leaf }) => leaf.leaf_index),
    );
    if (last < snapshot.head.tree_size) return { stored, snapshot, lastLeaf: last };
  }
  throw new ServiceError('ledger_unavailable', 'the record keeps changing; send the same request again', {
    remedy: 'retry',
  });
}
