import type { LogStore, WorkFinder, WorkspaceDirectory } from '@answer-evidence/ports';

/** Names every workspace each time, which is allowed: what it says is only where to look. */
export function createFakeWorkFinder(directory: WorkspaceDirectory, logs: Pick<LogStore, 'snapshot'>): WorkFinder {
  const all = () => directory.list();
  async function allWithSizes() {
    const workspaces = await all();
    return Promise.all(
      workspaces.map(async (workspace) => {
        return { workspace, treeSize: (await logs.snapshot(workspace.id)).head.tree_size };
      }),
    );
  }
  return {
    grownLogs: allWithSizes,
    withUnindexedWords: allWithSizes,
    withChangedSettings: async () => (await all()).map((workspace) => ({ workspace, version: 1, hasWords: true })),
    unpublished: all,
    withTrustPolicy: all,
    expiring: all,
    withOtlp: all,
    withOldCalls: all,
    withUnnamedMembers: all,
    uncounted: () => Promise.resolve([]),
    withTargets: all,
    untold: () => Promise.resolve([]),
    unstreamed: () => Promise.resolve([]),
    withOverdueApprovals: all,
    withOpenRuns: all,
  };
}
