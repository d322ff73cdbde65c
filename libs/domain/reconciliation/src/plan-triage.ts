import {
  type Resolution,
  ServiceError,
  TRIAGE_STEPS_MAX,
  type TriageState,
  type TriageStepRequest,
} from '@answer-evidence/contracts';

/** Where the work on a finding stands; without a step: open, with nobody. */
export type TriageStanding = {
  readonly version: number;
  readonly state: TriageState;
  readonly assigneeId: string | null;
  readonly resolution: Resolution | null;
  /** By when it should be resolved (µs). */
  readonly dueAt: number | null;
};

/** Before the first step. */
export const UNTOUCHED: TriageStanding = {
  version: 0,
  state: 'open',
  assigneeId: null,
  resolution: null,
  dueAt: null,
};

/** A step with the time that it names, as `readDueAt` reads it; undefined for a step that says nothing of it. */
type TimedStep = TriageStepRequest & { readonly dueAt?: number | null | undefined };

/** Who takes a step, and whether they may erase what others wrote. */
type TriageActor = { readonly memberId: string; readonly mayErase: boolean };

/** An earlier step: who took it, and whether its text is there. */
type EarlierStep = { readonly memberId: string; readonly hasText: boolean };

/**
 * Where a finding stands after a step. Everybody who works on findings assigns them; a text is erased by
 * who wrote it, or by a manager. Whether an assignee can work on it is not judged here. By when a finding is due stays
 * until a step names another time: also while it is resolved, so a finding that is reopened is due as it was.
 * Throws `transition_not_allowed`, `role_not_allowed`, `schema_violation` and `limit_reached`.
 */
export function planTriage(
  standing: TriageStanding,
  step: TimedStep,
  actor: TriageActor,
  /** The step of a number. */
  stepOf: (version: number) => EarlierStep | undefined,
): TriageStanding {
  const { state, assigneeId, dueAt, version } = standing;
  // What is over the limit can still be erased.
  if (version >= TRIAGE_STEPS_MAX && step.action !== 'erase')
    throw new ServiceError('limit_reached', `a finding has at most ${TRIAGE_STEPS_MAX} steps; work on another one`);
  const next = { ...standing, version: version + 1 };
  switch (step.action) {
    case 'comment':
      return next;
    case 'assign':
      if (state === 'resolved') throw refused('the finding is resolved; send reopen before anything else');
      if (step.assignee_id === assigneeId) throw refused('the finding is assigned so already; read it again');
      return { ...next, assigneeId: step.assignee_id, dueAt: step.dueAt === undefined ? dueAt : step.dueAt };
    case 'schedule':
      if (state === 'resolved') throw refused('the finding is resolved; send reopen before anything else');
      if ((step.dueAt ?? null) === dueAt) throw refused('the finding is due so already; read it again');
      return { ...next, dueAt: step.dueAt ?? null };
    case 'resolve':
      if (state === 'resolved') throw refused('the finding is resolved already; read it again');
      return { ...next, state: 'resolved', resolution: step.resolution };
    case 'reopen':
      if (state === 'open') throw refused('the finding is open already; read it again');
      return { ...next, state: 'open', resolution: null };
    case 'erase':
      assertErasable(stepOf(step.erases), actor);
      return next;
  }
}

function assertErasable(erased: EarlierStep | undefined, actor: TriageActor): void {
  if (erased?.hasText !== true) {
    const detail = 'must be the number of a step that has a text; read the finding for its steps';
    throw new ServiceError('schema_violation', detail, { errors: [{ pointer: '/erases', detail }] });
  }
  if (!actor.mayErase && erased.memberId !== actor.memberId)
    throw new ServiceError('role_not_allowed', 'members erase what they wrote; ask a manager to erase more');
}

function refused(detail: string): ServiceError {
  return new ServiceError('transition_not_allowed', detail);
}
