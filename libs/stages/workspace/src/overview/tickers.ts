import { type Clock, type ExpiringKind, findSweepHold, type HeldSweep, type Ticker } from '@answer-evidence/ports';
import type { OverviewDeps } from './deps.ts';

const COUNT_MS = 5_000;
const HOLDS_MS = 30_000;
/** Leaves are counted in pieces; so many of one log, and then it is the turn of the next. */
const PIECES_MAX = 100;
const KINDS: readonly ExpiringKind[] = ['texts', 'evidence', 'triage'];

type Deps = OverviewDeps & { readonly clock: Clock };

/** Counts what came to each log since it was counted last. Every process may run it. */
export function countLogsTicker(deps: Deps): Ticker {
  return {
    name: 'count-logs',
    intervalMs: COUNT_MS,
    work: () => [{ kind: 'uncounted' }],
    run: async (signal) =>
      inEach(await deps.work.uncounted(), signal, async (id) => {
        for (let piece = 0; piece < PIECES_MAX && !signal.aborted; piece++)
          if (!(await deps.overview.countMore(id, deps.clock.nowMicros()))) return;
      }),
  };
}

/** Notes what sweeps hold back in each workspace in which anything is due, and that nothing is any more. */
export function noteHoldsTicker(deps: Deps): Ticker {
  let noted: ReadonlySet<string> = new Set();
  return {
    name: 'note-held-sweeps',
    intervalMs: HOLDS_MS,
    // What was noted is taken back when it is no longer so.
    work() {
      const micros = deps.clock.nowMicros();
      return noted.size > 0 ? undefined : KINDS.map((what) => ({ kind: `expiring-${what}` as const, micros }));
    },
    async run(signal) {
      const now = deps.clock.nowMicros();
      const holds = new Map<string, HeldSweep[]>();
      for (const what of KINDS)
        await inEach(await deps.work.expiring(what, now), signal, async (id) => {
          const hold = await findSweepHold(deps.logs, deps.expiring[what], id, now);
          const own = holds.get(id) ?? [];
          holds.set(id, hold === undefined ? own : [...own, { what, due: hold.due }]);
        });
      if (signal.aborted) return;
      const ids = new Set(holds.keys());
      for (const id of new Set([...ids, ...noted])) await deps.overview.noteHolds(id, holds.get(id) ?? []);
      noted = ids;
    },
  };
}

/** Goes through workspaces; one that fails holds up no other. Throws the first failure at the end. */
async function inEach(
  workspaces: readonly { readonly id: string }[],
  signal: AbortSignal,
  act: (id: string) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const { id } of workspaces) {
    if (signal.aborted) return;
    await act(id).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
