import { heldUntil } from '@answer-evidence/lifecycle';
import type { Clock } from './clock.ts';
import { type ClockGuard, mayEraseByTime } from './clock-guard.ts';
import type { DueCounter } from './due-counter.ts';
import type { HeldContents, HoldsInForce, HoldStore } from './holds.ts';
import type { LogStore } from './stores.ts';
import { findSweepHold, type SweepHold } from './sweep-limit.ts';
import type { Ticker } from './ticker.ts';
import type { ExpiringKind, WorkFinder } from './work-finder.ts';

const INTERVAL_MS = 30_000;
/** How many of what was on hold come back in one statement. */
const TAKEN_OFF_MAX = 1_000;
/** How many are looked at before the next are asked for; what expires of them shares a transaction. */
const DUE_MAX = 100;

/** What a sweep goes by. */
type SweepDeps = {
  readonly work: WorkFinder;
  readonly clock: Clock;
  readonly clockGuard: ClockGuard;
  readonly logs: LogStore;
  readonly sweepHolds: Map<string, SweepHold>;
};

/** What legal holds keep from expiring: where it is kept out of the way, and which of what is due it is. */
type Holding<Due> = {
  readonly holds: Pick<HoldStore, 'inForce'>;
  readonly contents: HeldContents;
  /** The ids of what is held, among what is due. */
  readonly find: (workspaceId: string, inForce: HoldsInForce, due: readonly Due[]) => Promise<ReadonlySet<Due>>;
  readonly idOf: (due: Due) => string;
};

/** What expires: where what is due is found, and what is done about it. */
type Sweep<Due> = {
  readonly what: ExpiringKind;
  readonly store: DueCounter & {
    findDue(workspaceId: string, nowMicros: number, after: Due | undefined, limit: number): Promise<readonly Due[]>;
  };
  /** Left out: no hold covers it. */
  readonly holding?: Holding<Due>;
  /** Puts off what something holds for longer since it was looked at; one promise for each that can fail by itself. */
  readonly postpone: (workspaceId: string, due: readonly Due[]) => readonly Promise<unknown>[];
  /** Puts off the same, and expires the rest. */
  readonly settle: (workspaceId: string, due: readonly Due[]) => readonly Promise<unknown>[];
};

/**
 * Expires what is due, in one workspace after another. Every process may run it: what is due is only where to look, and
 * the lock of the log decides, so that nothing expires twice and an extension that comes just before wins. What cannot
 * be expired holds up nothing else, and neither does a workspace. What is on hold is put out of the way once, and comes
 * back with the next release: a hold over a million records costs a look at each of them. While the clock is
 * implausible nothing expires, and neither does more at once than an operator has to confirm.
 */
export function createExpirySweep<Due>(deps: SweepDeps, sweep: Sweep<Due>): Ticker {
  return {
    name: `expire-${sweep.what}`,
    intervalMs: INTERVAL_MS,
    // What was held back is taken back when it is no longer due.
    work: () =>
      [...deps.sweepHolds.keys()].some((held) => held.startsWith(placeOf(sweep.what, '')))
        ? undefined
        : [{ kind: `expiring-${sweep.what}`, micros: deps.clock.nowMicros() }],
    async run(signal) {
      const failures: unknown[] = [];
      const { what } = sweep;
      const expiring = await deps.work.expiring(what, deps.clock.nowMicros());
      const places = new Set(expiring.map(({ id }) => placeOf(what, id)));
      // Of what is no longer due, nothing is held back.
      for (const held of [...deps.sweepHolds.keys()])
        if (held.startsWith(placeOf(what, '')) && !places.has(held)) deps.sweepHolds.delete(held);
      for (const { id } of expiring)
        await sweepWorkspace(deps, sweep, id, signal, failures).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
}

function placeOf(what: ExpiringKind, workspaceId: string): string {
  return `${what} ${workspaceId}`;
}

async function sweepWorkspace<Due>(
  deps: SweepDeps,
  { what, store, holding, postpone, settle }: Sweep<Due>,
  workspaceId: string,
  signal: AbortSignal,
  failures: unknown[],
): Promise<void> {
  const begun = deps.clock.nowMicros();
  if (!mayEraseByTime(deps.clockGuard)) return;
  const place = placeOf(what, workspaceId);
  const inForce = await takeOffHold(workspaceId, holding, signal);
  const found = () => findSweepHold(deps.logs, store, workspaceId, begun);
  let hold = await found();
  // What something holds for longer is looked at as if it were due. It is put off before it counts.
  if (hold !== undefined && deps.sweepHolds.get(place)?.due !== hold.due) {
    await goThrough(postpone);
    hold = await found();
  }
  if (hold === undefined) {
    deps.sweepHolds.delete(place);
    await goThrough(settle);
  } else deps.sweepHolds.set(place, hold);

  async function goThrough(act: Sweep<Due>['settle']): Promise<void> {
    let last: Due | undefined;
    do {
      if (signal.aborted) return;
      const due = await store.findDue(workspaceId, begun, last, DUE_MAX);
      const left = inForce === undefined ? due : await putOnHold(workspaceId, inForce, due);
      for (const result of await Promise.allSettled(act(workspaceId, left)))
        if (result.status === 'rejected') failures.push(result.reason);
      last = due.length < DUE_MAX ? undefined : due.at(-1);
    } while (last !== undefined);
  }

  /** Puts what is held out of the way; the rest. A hold that is placed after this look is met under the lock. */
  async function putOnHold(id: string, known: HoldsInForce, due: readonly Due[]): Promise<readonly Due[]> {
    if (holding === undefined || known.holds.length === 0) return due;
    const held = await holding.find(id, known, due);
    if (held.size === 0) return due;
    await holding.contents.putOnHold(id, [...held].map(holding.idOf), heldUntil(known.released));
    return due.filter((one) => !held.has(one));
  }
}

/** Brings back what was on hold when fewer holds had been released than now; the holds in force. */
async function takeOffHold<Due>(
  workspaceId: string,
  holding: Holding<Due> | undefined,
  signal: AbortSignal,
): Promise<HoldsInForce | undefined> {
  if (holding === undefined) return undefined;
  const inForce = await holding.holds.inForce(workspaceId);
  if (inForce.released === 0) return inForce;
  const until = heldUntil(inForce.released);
  while (!signal.aborted)
    if ((await holding.contents.takeOffHold(workspaceId, until, TAKEN_OFF_MAX)) < TAKEN_OFF_MAX) break;
  return inForce;
}
