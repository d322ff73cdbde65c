import type { Caller } from '@answer-evidence/access';
import { type FindingTriage, ServiceError } from '@answer-evidence/contracts';
import type { Workspace } from '@answer-evidence/ports';
import type { RouteReply } from '@answer-evidence/routes';
import type { ReconcileDeps } from '../deps.ts';
import { getCompletedRun } from '../find-run.ts';
import { nameDamage, namedDamage } from '../name-damage.ts';
import { toFindingTriage } from './to-triage-resource.ts';

/** A finding of a completed run with the work on it, and when the run was requested. */
export type FoundFinding = NonNullable<Awaited<ReturnType<ReconcileDeps['triage']['find']>>> & {
  readonly requestedAt: number;
};

/** The finding that a caller asks about. Throws `not_found` as well as what `getCompletedRun` throws. */
export async function getFinding(
  deps: Pick<ReconcileDeps, 'reconciliations' | 'triage'>,
  caller: Caller,
  runId: string,
  position: number,
): Promise<FoundFinding> {
  const { run } = await getCompletedRun(deps, caller, runId);
  const found = await nameDamage(() => deps.triage.find(caller.workspaceId, run.id, position));
  if (found === undefined)
    throw new ServiceError('not_found', 'the run has no finding at this position; list its findings for those it has');
  return { ...found, requestedAt: run.created_at };
}

/** The reply with a finding; its entity tag is the version of the work on it. */
export function replyWithFinding(
  deps: Pick<ReconcileDeps, 'clock'>,
  workspace: Workspace,
  runId: string,
  found: FoundFinding,
): RouteReply {
  try {
    const body: FindingTriage = { ...toFindingTriage(workspace, found, deps.clock.nowMicros()), run_id: runId };
    return { status: 200, headers: { ETag: formatTriageTag(body.triage.version) }, body };
  } catch (error) {
    throw namedDamage(error);
  }
}

/** The strong entity tag (RFC 9110 section 8.8.3) of a version of the work on a finding. */
export function formatTriageTag(version: number): string {
  return `"t${version}"`;
}
