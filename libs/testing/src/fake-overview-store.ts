import type { Attestations, OverviewStore, StoredOverview } from '@answer-evidence/ports';

/** An overview that tests set, and what was asked of it. */
export type FakeOverview = OverviewStore & {
  stored: StoredOverview;
  attestations: Attestations;
};

/** Nothing waits for anybody, and nothing was counted. */
export function createFakeOverview(workspaceId: string): FakeOverview {
  const none = { count: 0, oldestAt: undefined };
  const empty: StoredOverview = {
    counted: undefined,
    treeSize: 0,
    counts: [],
    open: [],
    overdue: [],
    deadLetters: none,
    refused: none,
    unattached: none,
    streams: [],
    approvals: [],
    holds: { count: 0, oldestAt: undefined },
    tokens: [],
    links: [],
    textsDue: 0,
  };
  return {
    stored: empty,
    attestations: {
      publishedSize: 0,
      publishedAt: undefined,
      witnessedSize: 0,
      anchoredSize: null,
      exposedEntries: 0,
      exposedSince: undefined,
      failing: [],
    },
    countMore: () => Promise.resolve(false),
    noteHolds: () => Promise.resolve(),
    read(asked) {
      return Promise.resolve(asked === workspaceId ? this.stored : empty);
    },
  };
}
