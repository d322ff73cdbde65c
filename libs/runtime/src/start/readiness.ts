import { setTimeout } from 'node:timers/promises';
import type { ClockState } from '@answer-evidence/ports';
import { isDiskFull } from '@answer-evidence/postgres';
import type { FolderWatch } from '../observability/folder-watch.ts';
import type { Readiness } from '../observability/operations-handler.ts';
import type { Stores } from '../open/open-stores.ts';

const READINESS_MS_MAX = 800;

/** Within a second, whatever the database and the folders do: anyone who asks waits no longer. */
export async function readReadiness(stores: Stores, folders: FolderWatch, isStarted: boolean): Promise<Readiness> {
  const clock = stores.clockGuard.judge().state;
  const space = { shortFolders: folders.short, silentFolders: folders.silent };
  if (!isStarted) return { ok: false, failing: ['start'], clock, ...space };
  const late = setTimeout(READINESS_MS_MAX, { ok: false, failing: ['postgres'], clock }, { ref: false });
  return { ...(await Promise.race([readStanding(stores, clock), late])), ...space };
}

async function readStanding(stores: Stores, clock: ClockState): Promise<Readiness> {
  try {
    await stores.pulse.ask();
    const { stopped, isOverdue } = stores.heads.standing();
    // A log is one tenant's, and so is the witness that may have stopped it: that alone takes nothing from the others.
    const damaged = stores.damagedWorkspaces.ids;
    const isEveryLogStopped = stopped + damaged.length > 0 && stopped >= (await stores.directory.list()).length;
    const failing = [
      ...(clock === 'behind' ? ['clock'] : []),
      ...(isOverdue ? ['heads'] : []),
      ...(isEveryLogStopped ? ['ledger'] : []),
    ];
    const asynchronousStandbys = stores.standbys.asynchronous;
    return {
      ok: failing.length === 0,
      failing,
      clock,
      stoppedLogs: stopped,
      asynchronousStandbys,
      unavailableNodes: stores.nodes.unavailable,
      damagedWorkspaces: damaged,
    };
  } catch (error) {
    return { ok: false, failing: [isDiskFull(error) ? 'postgres_space' : 'postgres'], clock };
  }
}
