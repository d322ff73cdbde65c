import { SPLIT_ROLES, type SplitRole } from '../proxy/routing-table.ts';
import { DOWN_MS, type Fault, type FaultGroup, MINUTE_MS, PAUSE_MS, PAUSED, USUAL } from './fault.ts';
import { pause } from './load.ts';
import { makeNextRelease } from './next-release.ts';

/** Killed, and started again. */
export function killed(role: SplitRole): Fault {
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

/** Ended by SIGTERM, and started again. */
export function restarted(role: SplitRole): Fault {
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

/** Stopped by a signal that it does not notice, and continued. */
export function paused(role: SplitRole): Fault {
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

/** Ended by SIGTERM, and started again after a minute. */
export function stopped(role: SplitRole): Fault {
  return {
    name: `${role} stopped for a minute`,
    group: 'minutes',
    bounds: role === 'ingest-api' ? USUAL : PAUSED,
    async strike({ installation }, hasEnded) {
      const [process] = installation.of(role);
      await process?.current().stop();
      await pause(MINUTE_MS);
      hasEnded();
      await process?.start();
    },
  };
}

/** One process of each role killed, one after the other. */
export function killedInTurn(count: string, group: FaultGroup): Fault {
  return {
    name: `${count} of each: one of each killed in turn`,
    group,
    bounds: PAUSED,
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

/** One process of each role paused, one after the other. */
export function pausedInTurn(count: string, group: FaultGroup): Fault {
  return {
    name: `${count} of each: one of each paused for 15 s in turn`,
    group,
    bounds: PAUSED,
    async strike({ installation }) {
      for (const role of SPLIT_ROLES) {
        const [one] = installation.of(role);
        one?.current().kill('SIGSTOP');
        await pause(PAUSE_MS);
        one?.current().kill('SIGCONT');
      }
    },
  };
}

/** Every process restarted, one after the other. */
export function rolled(name: string, group: FaultGroup): Fault {
  return {
    name,
    group,
    bounds: PAUSED,
    async strike({ installation }) {
      for (const process of installation.processes) {
        await process.current().stop();
        await process.start();
      }
    },
  };
}

/** Every process replaced by one of the next release, one after the other, on the schema of that release. */
export function upgraded(): Fault {
  return {
    name: 'two of each: rolling upgrade of all ten, with a migration',
    group: 'instances',
    bounds: PAUSED,
    async strike({ folder, installation }) {
      const release = await makeNextRelease(folder);
      await release.migrate(installation.environment);
      for (const process of installation.processes) {
        await process.current().stop();
        await process.start(release.server);
      }
    },
  };
}
