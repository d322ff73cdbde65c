import type { ApprovableActs } from '@answer-evidence/ports';
import type { WorkspaceDeps } from '../deps.ts';

/** What requests for a second person need. */
export type ApprovalDeps = WorkspaceDeps & {
  /** What is done once a second person approves it. */
  readonly acts: ApprovableActs;
};
