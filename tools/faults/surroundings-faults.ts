import type { SplitRole } from '../proxy/routing-table.ts';
import { type Fault, type FaultGroup, PAUSE_MS, USUAL } from './fault.ts';
import type { FaultyRelay } from './faulty-relay.ts';
import { pause } from './load.ts';
import type { RolePaths, Scene, Store } from './scene.ts';

const CUT_MS = 10_000;
const SLOW_MS = 100;
const SLOW_FOR_MS = 20_000;
const SHIFT_MS = 20_000;

/** The disk of a store full, and free again. */
export function diskFull(store: Store): Fault {
  return {
    name: `disk of ${store} full for 15 s`,
    group: 'stores',
    bounds: USUAL,
    async strike({ disks, isPostgresRunning, startPostgres }) {
      await disks[store].fill();
      await pause(PAUSE_MS);
      await disks[store].free();
      if (!isPostgresRunning()) await startPostgres();
    },
  };
}

/** The relays before some roles. */
export function pathsOf(paths: RolePaths | undefined, roles: readonly SplitRole[]): readonly FaultyRelay[] {
  if (paths === undefined) throw new Error('the scene has no relays before its roles');
  return roles.map((role) => paths[role]);
}

/** Everything on some paths cut, held, and slowed. */
export function networkFaults(
  name: string,
  group: FaultGroup,
  relaysOf: (scene: Scene) => readonly FaultyRelay[],
): readonly Fault[] {
  const faultOf = (how: string, ms: number, hurt: (relay: FaultyRelay) => void): Fault => ({
    name: `${name} ${how} for ${ms / 1_000} s`,
    group,
    bounds: USUAL,
    async strike(scene) {
      const relays = relaysOf(scene);
      for (const relay of relays) hurt(relay);
      await pause(ms);
      for (const relay of relays) relay.repair();
    },
  });
  return [
    faultOf('cut', CUT_MS, (relay) => relay.cut()),
    faultOf('silent', PAUSE_MS, (relay) => relay.hold()),
    faultOf(`slower by ${SLOW_MS} ms each way`, SLOW_FOR_MS, (relay) => relay.slow(SLOW_MS)),
  ];
}

/** The clocks of the first processes shifted, and right again. */
export function clock(what: string, ms: number): Fault {
  return {
    name: `clocks ${what} for 20 s`,
    group: 'clock',
    bounds: USUAL,
    async strike({ shiftClock }) {
      await shiftClock(ms);
      await pause(SHIFT_MS);
      await shiftClock(0);
    },
  };
}
