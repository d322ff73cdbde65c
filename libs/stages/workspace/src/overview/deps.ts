import type {
  ClockGuard,
  DueCounter,
  ExpiringKind,
  LogStore,
  OverviewStore,
  ReadAttestations,
  WorkFinder,
} from '@answer-evidence/ports';

/** What the overview needs from around it, besides what the stage has. */
export type OverviewDeps = {
  readonly overview: OverviewStore;
  readonly work: WorkFinder;
  readonly logs: LogStore;
  readonly clockGuard: ClockGuard;
  readonly readAttestations: ReadAttestations;
  /** What each sweep may erase. */
  readonly expiring: Readonly<Record<ExpiringKind, DueCounter>>;
};
