import type { Consumer, Look, TrustPart, WorkFinder, Workspace } from '@answer-evidence/ports';
import { anchorCheckpoints } from '../anchoring/anchor-checkpoints.ts';
import type { TrustDeps } from '../deps.ts';
import { inTurns } from '../in-turns.ts';
import { publishCheckpoint } from '../publishing/publish-checkpoint.ts';
import { renewTokens } from '../renewing/renew-tokens.ts';
import { collectCosignatures } from '../witnessing/collect-cosignatures.ts';

/** What is done for a log. May say when it is due, where it was too early. */
type Step = {
  readonly part: TrustPart;
  /** The logs for which there may be something to do. */
  readonly find: (work: WorkFinder) => Promise<readonly Workspace[]>;
  readonly run: (
    deps: TrustDeps,
    workspace: Workspace,
    hurry: boolean,
    signal: AbortSignal,
    /** When this process looked at the tokens of each log last (µs). */
    looked: Map<string, number>,
  ) => Promise<number | undefined | void>;
};

/** How often a process asks whether tokens must be renewed, which is due weeks ahead. */
const RENEWALS_EVERY_MICROS = 600_000_000;

/** In this order when a manager asks for all of it. */
const STEPS: readonly Step[] = [
  { part: 'publish', find: (work) => work.unpublished(), run: publishCheckpoint },
  {
    part: 'witness',
    find: (work) => work.withTrustPolicy(),
    run: (deps, workspace, hurry, signal) => collectCosignatures(deps, workspace, hurry ? 'hurry' : 'due', signal),
  },
  {
    part: 'anchor',
    find: (work) => work.withTrustPolicy(),
    async run(deps, workspace, hurry, signal, looked) {
      await anchorCheckpoints(deps, workspace, hurry, signal);
      const [nowMicros, last] = [deps.clock.nowMicros(), looked.get(workspace.id)];
      if (!hurry && last !== undefined && Math.abs(nowMicros - last) < RENEWALS_EVERY_MICROS) return;
      looked.set(workspace.id, nowMicros);
      await renewTokens(deps, workspace, undefined, hurry, signal);
    },
  },
];

/** For how long a log is left alone at most that is not due: the policy that says so may have been changed. */
const LEFT_ALONE_MICROS_MAX = 10_000_000;

/** How often each is looked at; what is due is decided from what is stored, so a run that was missed is only late. */
export const TRUST_LOOKS: readonly Look[] = [
  { name: 'trust-publish', topic: 'trust.publish', everyMs: 2_000, work: () => [{ kind: 'unpublished' }] },
  { name: 'trust-witness', topic: 'trust.witness', everyMs: 5_000, work: () => [{ kind: 'with-trust-policy' }] },
  { name: 'trust-anchor', topic: 'trust.anchor', everyMs: 10_000, work: () => [{ kind: 'with-trust-policy' }] },
];

/**
 * The consumers of the stage. The scheduled ones walk through the logs for which there may be something to do; what one
 * log's witnesses or authorities do to it holds up no other's for longer than a call may take, and a log that fails
 * does not keep the others from their turn. `trust.run` is one log, at once, and `trust.renew` its tokens.
 */
export function createTrustConsumers(deps: TrustDeps): readonly Consumer[] {
  const looked = new Map<string, number>();
  const scheduled = STEPS.map((step): Consumer => {
    let dueTimes: ReadonlyMap<string, number> = new Map();
    return {
      topic: `trust.${step.part}`,
      concurrency: 1,
      async run(_job, signal) {
        const failures: unknown[] = [];
        const nowMicros = deps.clock.nowMicros();
        const next = new Map<string, number>();
        await inTurns(await step.find(deps.work), WORKSPACES_AT_ONCE, async (workspace) => {
          const { id } = workspace;
          if (signal.aborted || deps.heads.isStopped(id)) return;
          const known = dueTimes.get(id);
          // A time that is farther off was said by a clock that has been set back since.
          if (known !== undefined && nowMicros < known && known <= nowMicros + LEFT_ALONE_MICROS_MAX) {
            next.set(id, known);
            return;
          }
          try {
            await deps.trust.whileLeading(id, step.part, async () => {
              const dueAt = await step.run(deps, workspace, false, signal, looked);
              if (dueAt !== undefined) next.set(id, Math.min(dueAt, nowMicros + LEFT_ALONE_MICROS_MAX));
            });
          } catch (error) {
            failures.push(error);
          }
        });
        dueTimes = next;
        if (failures.length > 0) throw failures[0];
      },
    };
  });
  const asked: Consumer = {
    topic: 'trust.run',
    concurrency: 2,
    async run(job, signal) {
      if (job.workspace_id === null) throw new Error('a run job must name a workspace');
      const workspace = await deps.directory.get(job.workspace_id);
      for (const { part, run } of STEPS) {
        const ran = await deps.trust.whileLeading(workspace.id, part, async () => {
          await run(deps, workspace, true, signal, looked);
        });
        // Anyone who has the lead does not hurry, so this is tried again.
        if (!ran) throw new Error(`another process runs the ${part} part of this log now`);
      }
    },
  };
  const renewing: Consumer = {
    topic: 'trust.renew',
    concurrency: 1,
    async run(job, signal) {
      if (job.workspace_id === null) throw new Error('a renewal must name a workspace');
      const workspace = await deps.directory.get(job.workspace_id);
      const ran = await deps.trust.whileLeading(workspace.id, 'anchor', () =>
        renewTokens(deps, workspace, 'algorithm', true, signal),
      );
      if (!ran) throw new Error('another process anchors this log now');
    },
  };
  return [...scheduled, asked, renewing];
}

const WORKSPACES_AT_ONCE = 4;
