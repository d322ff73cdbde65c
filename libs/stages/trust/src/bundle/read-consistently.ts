import { assertApplication, type Caller } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import type { LogSnapshot, StoredRecord, Workspace } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';
import { attachmentsOf } from './attachments-of.ts';
import { type BoundEvidence, leavesOfEvidence, readBoundEvidence } from './read-evidence.ts';
import { type HoldEntry, maySeeHolds, readHolds } from './read-holds.ts';

const ATTEMPTS_MAX = 10;

/** A record with the evidence that it binds, as of one head of the log, and with its holds where they are stated. */
export type ConsistentRecord = {
  readonly stored: StoredRecord;
  readonly evidence: BoundEvidence | undefined;
  readonly holds?: readonly HoldEntry[] | undefined;
};

/** The same with that head, and the last leaf of them. */
type RecordAtHead = ConsistentRecord & { readonly snapshot: LogSnapshot; readonly lastLeaf: number };

/**
 * A record with its evidence and a head of the log that holds every leaf of them. The head is read first: when no leaf
 * of the record lies beyond it, then the record is exactly as of that head. Throws `not_found`,
 * `application_not_allowed` or `ledger_unavailable`.
 */
export async function readConsistently(
  deps: Pick<TrustDeps, 'records' | 'logs' | 'evidence' | 'directory' | 'holds'>,
  caller: Caller,
  recordId: string,
): Promise<RecordAtHead> {
  const workspace = await deps.directory.get(caller.workspaceId);
  const found = await readRecordAtHead(deps, workspace, recordId, (record) => assertApplication(caller, record));
  if (!maySeeHolds(caller)) return found;
  // After the record: what covered it when its last event came is among them.
  const holds = await readHolds(deps, workspace.id, found.stored, found.snapshot.head.tree_size);
  const last = holds?.at(-1)?.leaf.leaf_index ?? 0;
  return { ...found, holds, lastLeaf: Math.max(found.lastLeaf, last) };
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
