import { isAllowed, type UserCaller } from '@answer-evidence/access';
import { type Belonging, ServiceError, type TriageStepRequest } from '@answer-evidence/contracts';
import { MICROS_PER_DAY } from '@answer-evidence/encoding';
import type { Workspace } from '@answer-evidence/ports';
import { planTriage, readDueAt, type TriageStanding, UNTOUCHED } from '@answer-evidence/reconciliation';
import { assertStillAllowed, isMatch } from '@answer-evidence/routes';
import type { TriageStepRow } from '@answer-evidence/tables';
import type { ReconcileDeps } from '../deps.ts';
import { getCompletedRun } from '../find-run.ts';
import { canTriage } from './can-triage.ts';
import { formatTriageTag, type FoundFinding, getFinding } from './get-finding.ts';
import { sealTriageText } from './triage-text.ts';

/** Tries before a caller is told to come again: somebody else took a step in each of them. */
const TRIES_MAX = 5;

/** Who takes a step, and about which finding. */
type Place = { readonly caller: UserCaller; readonly runId: string; readonly position: number };

/**
 * Adds a step to the work on a finding. It is judged again when another step came first, so a caller who names no
 * version never undoes what they have not seen without it being permitted. Throws `precondition_failed` and
 * `version_conflict` for another version than the caller's, and what `planTriage`, `readDueAt` and `getFinding` throw.
 */
export async function takeStep(
  deps: ReconcileDeps,
  workspace: Workspace,
  { caller, runId, position }: Place,
  request: TriageStepRequest,
  ifMatch: string | undefined,
): Promise<void> {
  const { run } = await getCompletedRun(deps, caller, runId);
  if (request.action === 'assign' && request.assignee_id !== null)
    await assertAssignable(deps, caller, run, request.assignee_id);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const found = await getFinding(deps, caller, runId, position);
    const standing = standingOf(found);
    assertVersion(standing.version, request, ifMatch);
    const at = deps.clock.nowMicros();
    const next = planTriage(
      standing,
      { ...request, dueAt: readDueAt(request, { requestedAt: found.requestedAt, nowMicros: at }) },
      { memberId: caller.userId, mayErase: isAllowed(caller, 'triage.manage') },
      (n) => {
        const step = found.steps[n - 1];
        return step === undefined ? undefined : { memberId: step.row.member_id, hasText: step.text !== undefined };
      },
    );
    const text = 'text' in request ? request.text : undefined;
    const step: TriageStepRow = {
      run_id: runId,
      position,
      version: next.version,
      action: request.action === 'schedule' ? 'assign' : request.action,
      member_id: caller.userId,
      token_id: caller.tokenId,
      at,
      state: next.state,
      assignee_id: next.assigneeId,
      resolution: next.resolution,
      text_until: text === undefined ? null : at + (await readRetention(deps, workspace.id)),
      erases: request.action === 'erase' ? request.erases : null,
      due_at: next.dueAt,
    };
    const sealed =
      text === undefined || step.text_until === null
        ? undefined
        : sealTriageText(workspace.vault, { ...step, text_until: step.text_until }, found.finding.answer_log_id, text);
    await assertStillAllowed(deps, caller, 'triage', run);
    if (await deps.triage.append(workspace.id, step, sealed)) return;
  }
  throw new ServiceError('overloaded', 'others are working on this finding; retry the same request', {
    remedy: 'retry',
  });
}

function standingOf({ steps }: FoundFinding): TriageStanding {
  const last = steps.at(-1)?.row;
  if (last === undefined) return UNTOUCHED;
  const { version, state, assignee_id: assigneeId, resolution, due_at: dueAt } = last;
  return { version, state, assigneeId, resolution, dueAt };
}

function assertVersion(current: number, { version }: TriageStepRequest, ifMatch: string | undefined): void {
  if (!isMatch(ifMatch, formatTriageTag(current)))
    throw new ServiceError('precondition_failed', 'somebody has worked on the finding; read it again');
  if (version !== undefined && version !== current)
    throw new ServiceError('version_conflict', 'somebody has worked on the finding; read it again', {
      errors: [{ pointer: '/version', detail: `must be the current version, ${current}` }],
    });
}

async function assertAssignable(
  deps: ReconcileDeps,
  caller: UserCaller,
  run: Belonging,
  memberId: string,
): Promise<void> {
  const found = await deps.members.find(caller.workspaceId, memberId);
  if (found !== undefined && canTriage(found, run)) return;
  const detail =
    'must be the id of an active member who can work on findings of this run; list the assignees for theirs';
  throw new ServiceError('schema_violation', detail, { errors: [{ pointer: '/assignee_id', detail }] });
}

/** How long a text that is written now is kept at most, in microseconds: as long as an answer that is recorded now. */
async function readRetention(deps: ReconcileDeps, workspaceId: string): Promise<number> {
  const { values } = await deps.readFreshSettings(workspaceId);
  return values.answer_audit_default_retention_days * MICROS_PER_DAY;
}
