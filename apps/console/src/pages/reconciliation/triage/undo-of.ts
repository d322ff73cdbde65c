import type { Triage, TriageStepRequest } from '@answer-evidence/contracts';

/**
 * The step that takes one back, from where the finding stood before it. Both stay listed. What is written or erased
 * cannot be taken back.
 */
export function undoOf(step: TriageStepRequest, before: Triage): TriageStepRequest | undefined {
  const due = before.due_at ?? null;
  switch (step.action) {
    case 'assign':
      return {
        action: 'assign',
        assignee_id: before.assignee?.id ?? null,
        ...(step.due_at === undefined ? {} : { due_at: due }),
      };
    case 'schedule':
      return { action: 'schedule', due_at: due };
    case 'resolve':
      return { action: 'reopen' };
    case 'reopen':
      return before.resolution === null ? undefined : { action: 'resolve', resolution: before.resolution };
    case 'comment':
    case 'erase':
      return undefined;
  }
}
