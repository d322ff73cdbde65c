import { isInstalled } from '@answer-evidence/testing';
import { SPLIT_ROLES, type SplitRole } from '../proxy/routing-table.ts';
import type { FaultyRelay } from './faulty-relay.ts';
import { pause } from './load.ts';
import { makeNextRelease } from './next-release.ts';
import type { RolePaths, Scene, Store } from './scene.ts';

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
  /** What this machine lacks to try it. */
  readonly lacks?: string | undefined;
  /** Does it and undoes it. The bounds count from the call of `hasEnded`, or else from the end. */
  strike(scene: Scene, hasEnded: () => void): Promise<void>;
};

/** The groups, which can be run at the same time. */
export const FAULT_GROUPS = [
  'processes',
  'minutes',
  'stores',
  'network',
  'paths',
  'instances',
  'three',
  'clock',
] as const;
export type FaultGroup = (typeof FAULT_GROUPS)[number];

/** Processes of each role that a group has. */
export const INSTANCES: Readonly<Record<FaultGroup, number>> = {
  processes: 1,
  minutes: 1,
  stores: 1,
  network: 1,
  paths: 1,
  instances: 2,
  three: 3,
  clock: 1,
};

const DOWN_MS = 2_000;
const PAUSE_MS = 15_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const CUT_MS = 10_000;
const SLOW_MS = 100;
const SLOW_FOR_MS = 20_000;
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
  ...STORES.map(diskFull),
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
  ...STORES.flatMap((store) => networkFaults(`network to ${store}`, 'network', ({ relays }) => [relays[store]])),
  ...networkFaults('network from the proxy to ingest-api', 'paths', ({ paths }) => pathsOf(paths, ['ingest-api'])),
  ...networkFaults('network from the proxy to the other four', 'paths', ({ paths }) =>
    pathsOf(
      paths,
      SPLIT_ROLES.filter((role) => role !== 'ingest-api'),
    ),
  ),
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
  killedInTurn('two', 'instances'),
  rolled('two of each: rolling restart of all ten', 'instances'),
  {
    name: 'two of each: rolling upgrade of all ten, with a migration',
    group: 'instances',
    bounds: { ...USUAL, stall: 6 },
    async strike({ installation }) {
      const release = await makeNextRelease();
      try {
        await release.migrate(installation.environment);
        for (const process of installation.processes) {
          await process.current().stop();
          await process.start(release.server);
        }
      } finally {
        await release.remove();
      }
    },
  },
  killedInTurn('three', 'three'),
  rolled('three of each: rolling restart of all fifteen', 'three'),
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

function killedInTurn(count: string, group: FaultGroup): Fault {
  return {
    name: `${count} of each: one of each killed in turn`,
    group,
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
  };
}

function rolled(name: string, group: FaultGroup): Fault {
  return {
    name,
    group,
    bounds: { ...USUAL, stall: 6 },
    async strike({ installation }) {
      for (const process of installation.processes) {
        await process.current().stop();
        await process.start();
      }
    },
  };
}

function diskFull(store: Store): Fault {
  return {
    name: `disk of ${store} full for 15 s`,
    group: 'stores',
    bounds: USUAL,
    // Ceph keeps the bytes in memory here.
    lacks: store === 'object store' && !isInstalled('minio') ? 'MinIO' : undefined,
    async strike({ disks, isPostgresRunning, startPostgres }) {
      disks[store].fill();
      await pause(PAUSE_MS);
      disks[store].free();
      if (!isPostgresRunning()) await startPostgres();
    },
  };
}

function pathsOf(paths: RolePaths | undefined, roles: readonly SplitRole[]): readonly FaultyRelay[] {
  if (paths === undefined) throw new Error('the scene has no relays before its roles');
  return roles.map((role) => paths[role]);
}

function networkFaults(
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
