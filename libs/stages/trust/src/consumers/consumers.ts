import {
  type AttestingPart,
  type Consumer,
  type Look,
  LOOKS_MICROS_MAX,
  type TrustPart,
  type Workspace,
} from '@answer-evidence/ports';
import { anchorCheckpoints } from '../anchoring/anchor-checkpoints.ts';
import type { TrustDeps } from '../deps.ts';
import { inTurns } from '../in-turns.ts';
import { publishCheckpoint } from '../publishing/publish-checkpoint.ts';
import { renewTokens } from '../renewing/renew-tokens.ts';
import { collectCosignatures } from '../witnessing/collect-cosignatures.ts';

/** A log for which something may be due, and how a step that has ended notes when the next one is, if ever (µs). */
type Due = { readonly workspace: Workspace; readonly note: (dueAt: number | undefined) => Promise<void> | void };

/** Finds what is due at a time (µs); at 0 all that may be. */
type FindDue = (deps: TrustDeps, nowMicros: number) => Promise<readonly Due[]>;

/** What is done for a log. Returns when something is due again (µs) if neither its tree nor its policy changes. */
type Step = {
  readonly part: TrustPart;
  /** Each process has one. */
  readonly createFind: () => FindDue;
  readonly run: (
    deps: TrustDeps,
    workspace: Workspace,
    hurry: boolean,
    signal: AbortSignal,
    /** When this process looked at the tokens of each log last (µs). */
    looked: Map<string, number>,
  ) => Promise<number | undefined>;
};

/** How often a process asks whether tokens must be renewed, which is due weeks ahead. */
const RENEWALS_EVERY_MICROS = 600_000_000;

/** For how long a log is left alone at most that is not due: the policy that says so may have been changed. */
const LEFT_ALONE_MICROS_MAX = 10_000_000;

/** Logs that have grown since they were published, but for those whose interval has not passed. */
function createFindUnpublished(): FindDue {
  const dueTimes = new Map<string, number>();
  return async ({ work, clock }) => {
    const nowMicros = clock.nowMicros();
    const grown = await work.unpublished();
    // A time that is farther off was said by a clock that has been set back since.
    const isLeftAlone = (at = 0): boolean => nowMicros < at && at <= nowMicros + LEFT_ALONE_MICROS_MAX;
    return grown.flatMap((workspace) => {
      if (isLeftAlone(dueTimes.get(workspace.id))) return [];
      dueTimes.delete(workspace.id);
      const note: Due['note'] = (dueAt) => {
        if (dueAt !== undefined) dueTimes.set(workspace.id, Math.min(dueAt, nowMicros + LEFT_ALONE_MICROS_MAX));
      };
      return [{ workspace, note }];
    });
  };
}

/** Logs of which something is to be asked of witnesses or authorities; what was noted of them is stored. */
function findAttestations(part: AttestingPart): FindDue {
  return async ({ work, trust, clock }, nowMicros) =>
    (await work.attestationsDue(part, nowMicros)).map(({ workspace, ...looked }) => ({
      workspace,
      note(dueAt = Number.POSITIVE_INFINITY) {
        const latest = clock.nowMicros() + LOOKS_MICROS_MAX;
        return trust.noteLook(workspace.id, { ...looked, part, due_at: Math.min(dueAt, latest) });
      },
    }));
}

/** As if nobody had looked. */
const NO_LOOK = { tree_size: 0, policy_version: 0, due_at: 0 };

/** In this order when a manager asks for all of it. */
const STEPS: readonly Step[] = [
  { part: 'publish', createFind: createFindUnpublished, run: publishCheckpoint },
  {
    part: 'witness',
    createFind: () => findAttestations('witness'),
    run: (deps, workspace, hurry, signal) => collectCosignatures(deps, workspace, hurry ? 'hurry' : 'due', signal),
  },
  {
    part: 'anchor',
    createFind: () => findAttestations('anchor'),
    async run(deps, workspace, hurry, signal, looked) {
      const dueAt = (await anchorCheckpoints(deps, workspace, hurry, signal)) ?? Number.POSITIVE_INFINITY;
      const [nowMicros, last] = [deps.clock.nowMicros(), looked.get(workspace.id)];
      if (!hurry && last !== undefined && Math.abs(nowMicros - last) < RENEWALS_EVERY_MICROS)
        return Math.min(dueAt, last + RENEWALS_EVERY_MICROS);
      looked.set(workspace.id, nowMicros);
      await renewTokens(deps, workspace, undefined, hurry, signal);
      return Math.min(dueAt, nowMicros + RENEWALS_EVERY_MICROS);
    },
  },
];

/** How often each is looked at; what is due is decided from what is stored, so a run that was missed is only late. */
export const TRUST_LOOKS: readonly Look[] = [
  { name: 'trust-publish', topic: 'trust.publish', everyMs: 2_000, work: () => [{ kind: 'unpublished' }] },
  {
    name: 'trust-witness',
    topic: 'trust.witness',
    everyMs: 5_000,
    work: (micros) => [{ kind: 'witness-due', micros }],
  },
  { name: 'trust-anchor', topic: 'trust.anchor', everyMs: 10_000, work: (micros) => [{ kind: 'anchor-due', micros }] },
];

/**
 * The consumers of the stage. The scheduled ones walk through the logs for which there may be something to do; what one
 * log's witnesses or authorities do to it holds up no other's for longer than a call may take, and a log that fails
 * does not keep the others from their turn. `trust.run` is one log, at once, `trust.renew` its
 * tokens, and `trust.hash` its tokens by another hash.
 */
export function createTrustConsumers(deps: TrustDeps): readonly Consumer[] {
  const looked = new Map<string, number>();
  const scheduled = STEPS.map((step): Consumer => {
    const find = step.createFind();
    let isFirst = true;
    return {
      topic: `trust.${step.part}`,
      concurrency: 1,
      async run(_job, signal) {
        const failures: unknown[] = [];
        // What an operator has changed since, such as whom the process may ask, no note knows of.
        const due = await find(deps, isFirst ? 0 : deps.clock.nowMicros());
        isFirst = false;
        await inTurns(due, WORKSPACES_AT_ONCE, async ({ workspace, note }) => {
          if (signal.aborted || deps.heads.isStopped(workspace.id)) return;
          try {
            await deps.trust.whileLeading(workspace.id, step.part, async () => {
              const dueAt = await step.run(deps, workspace, false, signal, looked);
              // What was cut off is due.
              if (!signal.aborted) await note(dueAt);
            });
          } catch (error) {
            failures.push(error);
          }
        });
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
          // What failed is tried again by its own pause.
          if (part !== 'publish') await deps.trust.noteLook(workspace.id, { ...NO_LOOK, part });
        });
        // Anyone who has the lead does not hurry, so this is tried again.
        if (!ran) throw new Error(`another process runs the ${part} part of this log now`);
      }
    },
  };
  const renewing = (['trust.renew', 'trust.hash'] as const).map((topic): Consumer => ({
    topic,
    concurrency: 1,
    async run(job, signal) {
      if (job.workspace_id === null) throw new Error('a renewal must name a workspace');
      const workspace = await deps.directory.get(job.workspace_id);
      const hash = topic === 'trust.hash' ? { hash: 'sha-512' as const } : {};
      const ran = await deps.trust.whileLeading(workspace.id, 'anchor', () =>
        renewTokens(deps, workspace, { cause: 'algorithm', ...hash }, true, signal),
      );
      if (!ran) throw new Error('another process anchors this log now');
    },
  }));
  return [...scheduled, asked, ...renewing];
}

const WORKSPACES_AT_ONCE = 4;
