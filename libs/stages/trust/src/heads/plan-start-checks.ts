import type {
  HeadServer,
  HeadStore,
  KeptHead,
  WorkFinder,
  Workspace,
  WorkspaceDirectory,
} from '@answer-evidence/ports';
import { inTurns } from '../in-turns.ts';
import { isNamed } from './outside-faults.ts';

/** So many logs are held against their heads in full before a process answers, whatever their heads say. */
const IN_FULL = 16;
const HEADS_AT_ONCE = 8;

/** The logs that a start holds against their heads at once, and those that wait until they are used. */
type StartChecks = {
  readonly now: readonly Workspace[];
  /** With the sizes of their kept heads. */
  readonly later: ReadonlyMap<string, number>;
};

/**
 * Decides it from the sizes of all logs, which are one question, and from the heads alone, so that a start takes as
 * long with thousands of logs. A log waits if it has not gone back, and nothing is held against it: with a tree that
 * differs below the kept size, nothing is appended to it or signed before that is found.
 */
export async function planStartChecks(
  deps: {
    readonly directory: Pick<WorkspaceDirectory, 'list'>;
    readonly headStore: Pick<HeadStore, 'find'>;
    readonly work: Pick<WorkFinder, 'grownLogs'>;
  },
  server: HeadServer,
): Promise<StartChecks> {
  const workspaces = await deps.directory.list();
  const now = workspaces.slice(0, IN_FULL);
  const others = workspaces.slice(IN_FULL);
  const later = new Map<string, number>();
  if (others.length === 0) return { now, later };
  const sizes = new Map((await deps.work.grownLogs(0)).map(({ workspace, treeSize }) => [workspace.id, treeSize]));
  await inTurns(others, HEADS_AT_ONCE, async (workspace) => {
    const kept = await deps.headStore.find(workspace.id);
    if (kept !== undefined && mayWait(workspace, kept, sizes.get(workspace.id), server))
      later.set(workspace.id, kept.treeSize);
    else now.push(workspace);
  });
  return { now, later };
}

function mayWait({ origin }: Workspace, kept: KeptHead, treeSize: number | undefined, server: HeadServer): boolean {
  const isHeldAgainst = kept.twins.length > 0 || kept.claims.length > 0;
  return (
    treeSize !== undefined &&
    treeSize >= kept.treeSize &&
    kept.origin === origin &&
    !isHeldAgainst &&
    isNamed(kept, server)
  );
}
