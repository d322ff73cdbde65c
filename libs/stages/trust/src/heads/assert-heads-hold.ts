import {
  HeadError,
  type HeadStore,
  type KeptHead,
  type LogSnapshot,
  type LogStore,
  type Workspace,
  type WorkspaceDirectory,
} from '@answer-evidence/ports';
import {
  findHeadFaults,
  findOutsideFaults,
  findServerFault,
  type OutsideFault,
  type ServerKnowledge,
} from './outside-faults.ts';

/** What logs are held against their kept heads with. */
export type HeadDeps = {
  readonly directory: WorkspaceDirectory;
  readonly logs: LogStore;
  readonly headStore: HeadStore;
  /** Of the server that holds the logs. */
  readonly servers?: ServerKnowledge;
};

/**
 * Holds one log against the head kept outside of its database, before anything is signed on it. Throws `HeadError` when
 * no head is kept of a log that has entries, when the log is behind the head or does not extend it, when somebody
 * outside has seen more of it, when the signing key is not the one that the log's vkey names, or when its server may
 * lack entries. Returns the head that is kept.
 */
export async function assertLogHolds(
  deps: Pick<HeadDeps, 'logs' | 'headStore' | 'servers'>,
  workspace: Workspace,
): Promise<KeptHead | undefined> {
  const kept = await deps.headStore.find(workspace.id);
  assertNone(await findOutsideFaults(deps, workspace, kept));
  return kept;
}

/**
 * Throws `HeadError` unless the log holds the tree of the kept head and nothing is held against it. The snapshot must
 * be the later one of the two.
 */
export async function assertExtends(
  workspace: Workspace,
  kept: KeptHead | undefined,
  snapshot: LogSnapshot,
  place: string,
  servers?: ServerKnowledge,
): Promise<void> {
  assertNone(await findHeadFaults(workspace, kept, snapshot, place, servers));
}

/**
 * Throws `HeadError` if a log is on another server than its newest head and may lack what was signed after it. For
 * those who know more of the log than its head: what they miss has to be said first, since no start gets past it.
 */
export async function assertNothingLacks(
  { slug }: Workspace,
  kept: KeptHead | undefined,
  servers: ServerKnowledge,
): Promise<void> {
  const fault = kept && (await findServerFault(slug, kept, servers));
  assertNone(fault === undefined ? [] : [fault]);
}

/** The first is the reason that stops; the ledger check names them all. */
function assertNone([first]: readonly OutsideFault[]): void {
  if (first !== undefined) throw new HeadError(first.code, first.detail + first.where);
}
