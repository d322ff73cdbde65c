import { SPLIT_ROLES, type SplitRole } from '../proxy/routing-table.ts';
import { pause } from './load.ts';
import type { Scene, Store } from './scene.ts';

/** What must hold, in seconds. */
export type Bounds = {
  /** From the end of the fault to the next create. */
  readonly createsBack: number;
  /** From the end of the fault until nothing is pending. */
  readonly workBack: number;
  /** The longest time without a create, over all of it. */
  readonly stall?: number;
};

/** One way to hurt an installation. */
export type Fault = {
  readonly name: string;
  /** Faults of one group need an installation with so many processes of each role. */
  readonly group: FaultGroup;
  readonly bounds: Bounds;
  /** Does it and undoes it. The bounds count from the call of `hasEnded`, or else from the end. */
  strike(scene: Scene, hasEnded: () => void): Promise<void>;
};

/** The groups, which can be run at the same time. */
export const FAULT_GROUPS = ['processes', 'minutes', 'stores', 'network', 'instances', 'clock'] as const;
type FaultGroup = (typeof FAULT_GROUPS)[number];

/** Processes of each role that a group has. */
export const INSTANCES: Readonly<Record<FaultGroup, number>> = {
  processes: 1,
  minutes: 1,
  stores: 1,
  network: 1,
  instances: 2,
  clock: 1,
};

const DOWN_MS = 2_000;
const PAUSE_MS = 15_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const SLOW_MS = 100;
const SHIFT_MS = 20_000;

const USUAL: Bounds = { createsBack: 6, workBack: 60 };
/** A process that is paused holds the lock of one workspace until the database ends its transaction. */
const PAUSED: Bounds = { ...USUAL, stall: 6 };
const FLUSHED: Bounds = { createsBack: 6, workBack: 150 };

const STORES: readonly Store[] = ['PostgreSQL', 'Redis', 'object store'];

/** Every fault, in the order of the table. */
export const FAULTS: readonly Fault[] = [
  ...SPLIT_ROLES.flatMap((role) => [killed(role), restarted(role), paused(role)]),
  ...SPLIT_ROLES.map(stopped),
  {
    name: 'PostgreSQL ends at once and is started again',
    group: 'stores',
    bounds: USUAL,
    async strike(scene) {
      await scene.stopPostgres('SIGQUIT');
      await pause(DOWN_MS);
      await scene.startPostgres();
    },
  },
  {
    name: 'PostgreSQL stopped for a minute',
    group: 'minutes',
    bounds: USUAL,
    async strike(scene) {
      await scene.stopPostgres('SIGTERM');
      await pause(MINUTE_MS);
      await scene.startPostgres();
    },
  },
  {
    name: 'disk of PostgreSQL full for 15 s',
    group: 'stores',
    bounds: USUAL,
    async strike({ disk, isPostgresRunning, startPostgres }) {
      if (!disk.canBeFilled) throw new Error('only root may mount the small disk that is filled');
      disk.fill();
      await pause(PAUSE_MS);
      disk.free();
      if (!isPostgresRunning()) await startPostgres();
    },
  },
  {
    name: 'Redis killed and started again',
    group: 'stores',
    bounds: USUAL,
    async strike({ redis }) {
      await redis.kill();
      await pause(DOWN_MS);
      await redis.start();
    },
  },
  {
    name: 'Redis stopped for a minute',
    group: 'minutes',
    bounds: USUAL,
    async strike({ redis }) {
      await redis.kill();
      await pause(MINUTE_MS);
      await redis.start();
    },
  },
  {
    name: 'Redis paused for 15 s',
    group: 'stores',
    bounds: PAUSED,
    async strike({ redis }) {
      await redis.command('DEBUG', 'SLEEP', String(PAUSE_MS / 1_000));
    },
  },
  {
    name: 'Redis flushed',
    group: 'stores',
    bounds: FLUSHED,
    async strike({ redis }) {
      await redis.command('FLUSHALL');
    },
  },
  ...STORES.flatMap(networkFaults),
  {
    name: 'object store unreachable for a minute',
    group: 'minutes',
    bounds: USUAL,
    async strike({ relays }) {
      relays['object store'].cut();
      await pause(MINUTE_MS);
      relays['object store'].repair();
    },
  },
  {
    name: 'two of each: one of each killed in turn',
    group: 'instances',
    bounds: { ...USUAL, stall: 6 },
    async strike({ installation }) {
      for (const role of SPLIT_ROLES) {
        const [one] = installation.of(role);
        one?.current().kill('SIGKILL');
        await one?.current().exited;
        await pause(DOWN_MS);
        await one?.start();
      }
    },
  },
  {
    name: 'two of each: rolling restart of all ten',
    group: 'instances',
    bounds: { ...USUAL, stall: 6 },
    async strike({ installation }) {
      for (const process of installation.processes) {
        await process.current().stop();
        await process.start();
      }
    },
  },
  clock('an hour back', -HOUR_MS),
  clock('an hour ahead', HOUR_MS),
];

function killed(role: SplitRole): Fault {
  return {
    name: `${role} killed, started again after 2 s`,
    group: 'processes',
    bounds: USUAL,
    async strike({ installation }, hasEnded) {
      const [process] = installation.of(role);
      process?.current().kill('SIGKILL');
      await process?.current().exited;
      await pause(DOWN_MS);
      hasEnded();
      await process?.start();
    },
  };
}

function restarted(role: SplitRole): Fault {
  return {
    name: `${role} restarted`,
    group: 'processes',
    bounds: USUAL,
    async strike({ installation }, hasEnded) {
      const [process] = installation.of(role);
      await process?.current().stop();
      hasEnded();
      await process?.start();
    },
  };
}

function paused(role: SplitRole): Fault {
  const { stall: _, ...own } = PAUSED;
  return {
    name: `${role} paused for 15 s`,
    group: 'processes',
    // Nothing but itself can serve what it serves.
    bounds: role === 'ingest-api' ? own : PAUSED,
    async strike({ installation }) {
      const [process] = installation.of(role);
      process?.current().kill('SIGSTOP');
      await pause(PAUSE_MS);
      process?.current().kill('SIGCONT');
    },
  };
}

function stopped(role: SplitRole): Fault {
  return {
    name: `${role} stopped for a minute`,
    group: 'minutes',
    bounds: role === 'ingest-api' ? USUAL : { ...USUAL, stall: 6 },
    async strike({ installation }, hasEnded) {
      const [process] = installation.of(role);
      await process?.current().stop();
      await pause(MINUTE_MS);
      hasEnded();
      await process?.start();
    },
  };
}

function networkFaults(store: Store): readonly Fault[] {
  return [
    {
      name: `network to ${store} cut for 10 s`,
      group: 'network',
      bounds: USUAL,
      async strike({ relays }) {
        relays[store].cut();
        await pause(10_000);
        relays[store].repair();
      },
    },
    {
      name: `network to ${store} silent for 15 s`,
      group: 'network',
      bounds: USUAL,
      async strike({ relays }) {
        relays[store].hold();
        await pause(PAUSE_MS);
        relays[store].repair();
      },
    },
    {
      name: `network to ${store} slower by ${SLOW_MS} ms each way for 20 s`,
      group: 'network',
      bounds: USUAL,
      async strike({ relays }) {
        relays[store].slow(SLOW_MS);
        await pause(20_000);
        relays[store].repair();
      },
    },
  ];
}

function clock(what: string, ms: number): Fault {
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
