import { SPLIT_ROLES } from '../proxy/routing-table.ts';
import { type Bounds, DOWN_MS, type Fault, MINUTE_MS, PAUSE_MS, PAUSED, USUAL } from './fault.ts';
import { pause } from './load.ts';
import { killed, killedInTurn, paused, pausedInTurn, restarted, rolled, stopped, upgraded } from './process-faults.ts';
import type { Store } from './scene.ts';
import { clock, diskFull, networkFaults, pathsOf } from './surroundings-faults.ts';

const HOUR_MS = 3_600_000;
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
    name: 'PostgreSQL paused for 15 s',
    group: 'stores',
    bounds: USUAL,
    async strike({ signalPostgres }) {
      signalPostgres('SIGSTOP');
      await pause(PAUSE_MS);
      signalPostgres('SIGCONT');
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
  pausedInTurn('two', 'instances'),
  rolled('two of each: rolling restart of all ten', 'instances'),
  upgraded(),
  killedInTurn('three', 'three'),
  rolled('three of each: rolling restart of all fifteen', 'three'),
  clock('an hour back', -HOUR_MS),
  clock('an hour ahead', HOUR_MS),
];
