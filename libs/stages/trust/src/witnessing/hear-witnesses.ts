import type { TrustDeps } from '../deps.ts';
import { inTurns } from '../in-turns.ts';
import { collectCosignatures } from './collect-cosignatures.ts';

const LOGS_AT_ONCE = 4;

/**
 * Asks the witnesses of all logs that have some before anything is signed, so that a log of which they have seen more
 * is stopped by then. Whom another process asks at this moment is left to it, and a witness that does not answer in
 * time holds up no start: the schedule asks it again.
 */
export async function hearWitnesses(deps: TrustDeps, signal: AbortSignal): Promise<void> {
  await inTurns(await deps.work.withTrustPolicy(), LOGS_AT_ONCE, async (workspace) => {
    if (signal.aborted || deps.heads.isStopped(workspace.id)) return;
    // What goes wrong here goes wrong again in the schedule, which tells of it.
    await deps.trust
      .whileLeading(workspace.id, 'witness', async () => {
        await collectCosignatures(deps, workspace, 'start', signal);
      })
      .catch(() => undefined);
  });
}
