import { assertApplication, type Caller } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import type { StoredRun } from '@answer-evidence/ports';
import type { ReconcileDeps } from './deps.ts';
import { nameDamage } from './name-damage.ts';

/** A run that was completed. */
type CompletedRun = StoredRun & { readonly completion: NonNullable<StoredRun['completion']> };

/** The run that a caller asks about. Throws `not_found`, `application_not_allowed`, or `internal` when damaged. */
export async function getRun(
  { reconciliations }: Pick<ReconcileDeps, 'reconciliations'>,
  caller: Caller,
  runId: string,
): Promise<StoredRun> {
  const stored = await nameDamage(() => reconciliations.find(caller.workspaceId, runId));
  if (stored === undefined) throw new ServiceError('not_found', 'no such run exists in this workspace; check its id');
  assertApplication(caller, stored.run);
  return stored;
}

/** The same when completed; before, a part could be taken for the whole. Throws `run_not_completed` as well. */
export async function getCompletedRun(
  deps: Pick<ReconcileDeps, 'reconciliations'>,
  caller: Caller,
  runId: string,
): Promise<CompletedRun> {
  const stored = await getRun(deps, caller, runId);
  const { completion } = stored;
  if (completion === undefined)
    throw new ServiceError('run_not_completed', 'the run is not completed yet; read it until its status is completed');
  return { ...stored, completion };
}
