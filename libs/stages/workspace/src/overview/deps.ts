import type { DueCounter, ExpiringKind, ReadAttestations, StageDeps } from '@answer-evidence/ports';

/** What the overview needs from around it, besides what the stage has. */
export type OverviewDeps = StageDeps & {
  readonly readAttestations: ReadAttestations;
  /** What each sweep may erase. */
  readonly expiring: Readonly<Record<ExpiringKind, DueCounter>>;
};
