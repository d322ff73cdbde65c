import { ApiError } from '@answer-evidence/client';

/** Whether somebody else changed the thing first: the version that was sent is no longer the current one. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.problem?.code === 'version_conflict';
}

/** Whether a second person must approve what was sent. */
export function needsApproval(error: unknown): boolean {
  return error instanceof ApiError && error.problem?.code === 'approval_required';
}
