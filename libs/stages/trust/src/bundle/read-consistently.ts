import { assertApplication, type Caller } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import type { LogSnapshot, StoredRecord, Workspace } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';
import { attachmentsOf } from './attachments-of.ts';
import { type BoundEvidence, leavesOfEvidence, readBoundEvidence } from './read-evidence.ts';

const ATTEMPTS_MAX = 10;

/** A record with the evidence that it binds, as of one head of the log. */
export type ConsistentRecord = { readonly stored: StoredRecord; readonly evidence: BoundEvidence | undefined };

/** The same with that head, and the last leaf of them. */
type RecordAtHead = ConsistentRecord & { readonly snapshot: LogSnapshot; readonly lastLeaf: number };

/**
 * A record with its evidence and a head of the log that holds every leaf of them. The head is read first: when no leaf
 * of the record lies beyond it, then the record is exactly as of that head. Throws `not_found`,
 * `application_not_allowed` or `ledger_unavailable`.
 */
export async function readConsistently(
  deps: Pick<TrustDeps, 'records' | 'logs' | 'evidence' | 'directory'>,
  caller: Caller,
  recordId: string,
): Promise<RecordAtHead> {
  const workspace = await deps.directory.get(caller.workspaceId);
  return readRecordAtHead(deps, workspace, recordId, (record) => assertApplication(caller, record));
}

/** The same for a reader who is no caller: `assertMayRead` is given the record's row. */
export async function readRecordAtHead(
  deps: Pick<TrustDeps, 'records' | 'logs' | 'evidence'>,
  workspace: Workspace,
  recordId: string,
  assertMayRead: (record: StoredRecord['record']) => void = () => undefined,
): Promise<RecordAtHead> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const snapshot = await deps.logs.snapshot(workspace.id);
    const stored = await deps.records.find(workspace.id, recordId);
    if (stored === undefined)
      throw new ServiceError('not_found', 'no such record exists in this workspace; check its id');
    assertMayRead(stored.record);
    const evidence = await readBoundEvidence(deps.evidence, workspace, stored);
    const own = [stored, ...stored.events, ...attachmentsOf(stored)].map(({ leaf }) => leaf);
    const last = [...own, ...leavesOfEvidence(evidence)].reduce((max, leaf) => Math.max(max, leaf.leaf_index), 0);
    if (last < snapshot.head.tree_size) return { stored, evidence, snapshot, lastLeaf: last };
  }
  throw new ServiceError('ledger_unavailable', 'the record keeps changing; retry the same request', {
    remedy: 'retry',
  });
}
