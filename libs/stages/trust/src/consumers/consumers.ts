import { type Consumer, type Schedule, type TrustPart, type Workspace } from '@answer-evidence/ports';
import { anchorCheckpoints } from '../anchoring/anchor-checkpoints.ts';
import type { TrustDeps } from '../deps.ts';
import { inTurns } from '../in-turns.ts';
import { publishCheckpoint } from '../publishing/publish-checkpoint.ts';
import { collectCosignatures } from '../witnessing/collect-cosignatures.ts';

type Step = (deps: TrustDeps, workspace: Workspace, hurry: boolean, signal: AbortSignal) => Promise<void>;

/** What is done for every log, in this order when a manager asks for all of it. */
const STEPS: readonly (readonly [TrustPart, Step])[] = [
  ['publish', publishCheckpoint],
  [
    'witness',
    (deps, workspace, hurry, signal) => collectCosignatures(deps, workspace, hurry ? 'hurry' : 'due', signal),
  ],
  ['anchor', anchorCheckpoints],
];

/** How often each is looked at; what is due is decided from what is stored, so a run that was missed is only late. */
export const TRUST_SCHEDULES: readonly Schedule[] = [
  { name: 'trust-publish', topic: 'trust.publish', everyMs: 2_000 },
  { name: 'trust-witness', topic: 'trust.witness', everyMs: 5_000 },
  { name: 'trust-anchor', topic: 'trust.anchor', everyMs: 10_000 },
];

/**
 * The consumers of the stage. The scheduled ones walk through all logs; what one log's witnesses or authorities do to
 * it holds up no other's for longer than a call may take, and a log that fails does not keep the others from their
 * turn. `trust.run` is one log, at once.
 */
export function createTrustConsumers(deps: TrustDeps): readonly Consumer[] {
  const scheduled = STEPS.map(([part, step]): Consumer => ({
    topic: `trust.${part}`,
    concurrency: 1,
    async run(_job, signal) {
      const failures: unknown[] = [];
      const workspaces = await deps.directory.list();
      await inTurns(workspaces, WORKSPACES_AT_ONCE, async (workspace) => {
        if (signal.aborted || deps.heads.isStopped(workspace.id)) return;
        try {
          await deps.trust.whileLeading(workspace.id, part, () => step(deps, workspace, false, signal));
        } catch (error) {
          failures.push(error);
        }
      });
      if (failures.length > 0) throw failures[0];
    },
  }));
  const asked: Consumer = {
    topic: 'trust.run',
    concurrency: 2,
    async run(job, signal) {
      if (job.workspace_id === null) throw new Error('a run job must name a workspace');
      const workspace = await deps.directory.get(job.workspace_id);
      for (const [part, step] of STEPS) {
        const ran = await deps.trust.whileLeading(workspace.id, part, () => step(deps, workspace, true, signal));
        // Anyone who has the lead does not hurry, so this is tried again.
        if (!ran) throw new Error(`another process runs the ${part} part of this log now`);
      }
    },
  };
  return [...scheduled, asked];
}

const WORKSPACES_AT_ONCE = 4;
