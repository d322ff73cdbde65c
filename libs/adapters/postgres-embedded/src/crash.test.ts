import { once } from 'node:events';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { createTestScope, query, untilGone } from './fixtures/test-scope.ts';
import { findRunningPostgres } from './index.ts';
import { findCommand, listProcesses } from './process-table.ts';

const scope = createTestScope();
afterEach(() => scope.close());
afterAll(() => scope.closeAll());

const createRow = 'create table kept as select 42 as answer';
const isServer = (pid: number): boolean => findCommand(pid)?.includes('cluster_name=ae-') === true;

function findWatchdog(serverPid: number): number {
  const found = listProcesses().find(({ command }) => command.endsWith(`postgres-watchdog ${serverPid}`));
  if (found === undefined) throw new Error('the server has no watchdog');
  return found.pid;
}

describe('after kill -9', () => {
  it('of the postmaster, tells the living parent, and the next open recovers what was committed', async () => {
    const dataDir = await scope.openReadyDir();
    const first = await scope.open({ dataDir });
    await query(first.url, createRow);
    process.kill(first.pid, 'SIGKILL');
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });

    const second = await scope.open({ dataDir });
    expect(second.firstStart).toBe(false);
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await first.close();
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('of the parent, the server ends soon by itself and the row is there', async () => {
    const dataDir = await scope.openReadyDir();
    const held = await scope.hold(dataDir, createRow);
    expect(isServer(held.pid)).toBe(true);
    held.parent.kill('SIGKILL');
    expect(await untilGone(() => isServer(held.pid), 5_000)).toBe(true);
    expect(await findRunningPostgres(dataDir)).toBeUndefined();

    const next = await scope.open({ dataDir });
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('of the parent, an open at once ends the old server before it starts its own', async () => {
    const dataDir = await scope.openReadyDir();
    const held = await scope.hold(dataDir, createRow);
    const dead = once(held.parent, 'exit');
    held.parent.kill('SIGKILL');
    await dead;
    const next = await scope.open({ dataDir });
    expect(isServer(held.pid)).toBe(false);
    expect(next.pid).not.toBe(held.pid);
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('of both, the next open recovers', async () => {
    const dataDir = await scope.openReadyDir();
    const held = await scope.hold(dataDir, createRow);
    const dead = once(held.parent, 'exit');
    process.kill(held.pid, 'SIGKILL');
    held.parent.kill('SIGKILL');
    await dead;
    const next = await scope.open({ dataDir });
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('of the parent, a server that nothing watches is ended by the next open', async () => {
    const dataDir = await scope.openReadyDir();
    const held = await scope.hold(dataDir, createRow);
    const watchdog = findWatchdog(held.pid);
    process.kill(watchdog, 'SIGKILL');
    const dead = once(held.parent, 'exit');
    held.parent.kill('SIGKILL');
    await dead;
    expect(isServer(held.pid)).toBe(true);
    expect(await findRunningPostgres(dataDir)).toEqual({ url: held.url, pid: held.pid });
    const next = await scope.open({ dataDir });
    expect(isServer(held.pid)).toBe(false);
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });
});
