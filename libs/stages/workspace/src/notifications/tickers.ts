import { ATTENTION_NAMED_MAX } from '@answer-evidence/contracts';
import { MICROS_PER_DAY } from '@answer-evidence/encoding';
import type { Ticker, Workspace } from '@answer-evidence/ports';
import { findAttention, type Sight } from '../overview/find-attention.ts';
import { planDays } from '../overview/plan-days.ts';
import type { NotificationDeps } from './deps.ts';
import { conditionsOf, notificationOf, overdueConditions, stoppedNotification } from './of-conditions.ts';
import { notificationsOf } from './of-entries.ts';

const FOLLOW_MS = 2_000;
const LOOK_MS = 15_000;
/** Leaves are read in pieces; so many of one log, and then it is the turn of the next. */
const PIECES_MAX = 50;
/** How long deliveries are kept: those that are done, and those that wait. */
const [DONE_DAYS, PENDING_DAYS] = [30, 90];
const FORGOTTEN_MAX = 1_000;

const EVERYTHING: Sight = {
  trust: true,
  triage: true,
  jobs: true,
  members: true,
  telemetry: true,
  operation: true,
  streams: true,
  holds: true,
  decides: () => true,
  tokensOf: 'all',
};

/** Tells targets what came to each log since it was read last. Every process may run it. */
export function followLogsTicker({ work, notifications }: NotificationDeps): Ticker {
  return {
    name: 'follow-logs',
    intervalMs: FOLLOW_MS,
    work: () => [{ kind: 'untold' }],
    run: async (signal) =>
      inEach(await work.untold(), signal, async ({ id }) => {
        for (let piece = 0; piece < PIECES_MAX && !signal.aborted; piece++)
          if (!(await notifications.follow(id, notificationsOf))) return;
      }),
  };
}

/** Tells targets what began to need somebody and what no longer does, and forgets old deliveries. */
export function lookAtConditionsTicker(deps: NotificationDeps): Ticker {
  const { work, notifications } = deps;
  return {
    name: 'look-at-conditions',
    intervalMs: LOOK_MS,
    work: () => [{ kind: 'with-targets' }],
    run: async (signal) =>
      inEach(await work.withTargets(), signal, async ({ id }) => {
        const now = deps.clock.nowMicros();
        const current = await readConditions(deps, id, now);
        const { streams } = await deps.streams.streams(id);
        const working = new Set(streams.flatMap(({ row, state }) => (state.failing_since === null ? [row.id] : [])));
        await notifications.noteConditions(id, current, (change) => notificationOf(change, now, working));
        await notifications.forget(
          id,
          now - DONE_DAYS * MICROS_PER_DAY,
          now - PENDING_DAYS * MICROS_PER_DAY,
          FORGOTTEN_MAX,
        );
      }),
  };
}

/** Tells targets that this process has stopped a log, once a day whatever the number of processes. */
export function tellStoppedLogsTicker({ work, notifications, clock, isLogStopped }: NotificationDeps): Ticker {
  return {
    name: 'tell-stopped-logs',
    intervalMs: LOOK_MS,
    work: () => [{ kind: 'with-targets' }],
    run: async (signal) =>
      inEach(await work.withTargets(), signal, async ({ id }) => {
        if (isLogStopped(id)) await notifications.tellAll(id, stoppedNotification(clock.nowMicros()));
      }),
  };
}

async function readConditions(deps: NotificationDeps, workspaceId: string, nowMicros: number) {
  const days = { ...planDays(1, nowMicros), applicationsMax: 1 };
  const [stored, attestations] = await Promise.all([
    deps.overview.read(workspaceId, { days, nowMicros, namedMax: ATTENTION_NAMED_MAX }),
    deps.readAttestations(workspaceId),
  ]);
  const attention = findAttention(stored, attestations, deps.clockGuard.judge(), nowMicros, EVERYTHING);
  return [...conditionsOf(attention), ...overdueConditions(stored.overdue)];
}

/** Goes through workspaces; one that fails holds up no other. Throws the first failure at the end. */
async function inEach(
  workspaces: readonly Workspace[],
  signal: AbortSignal,
  act: (workspace: Workspace) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const workspace of workspaces) {
    if (signal.aborted) return;
    await act(workspace).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
