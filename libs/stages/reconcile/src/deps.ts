import type { AnchoredCheckpoints, StageDeps } from '@answer-evidence/ports';

/** What the stage needs from around it. */
export type ReconcileDeps = StageDeps & {
  readonly checkpoints: AnchoredCheckpoints;
};
