import { once } from 'node:events';
import { afterEach, expect, it } from '@jest/globals';
import { openDataDir } from './data-dir.ts';
import { createTestScope, untilGone } from './fixtures/test-scope.ts';
import { findCommand, listProcesses } from './process-table.ts';
import { hasPulse, untilNoPulse } from './server-pulse.ts';

const scope = createTestScope();
afterEach(() => scope.close());

it('a server has a pulse exactly while a process of it lives, no matter who started it and what was killed', async () => {
  const path = await scope.openDir();
  const dir = await openDataDir(path);
  expect(await hasPulse(dir)).toBe(false);
  const held = await scope.hold(path, 'select 1');
  expect(await hasPulse(dir)).toBe(true);

  // Neither the parent nor its watchdog is left to end the server, as when a container's other processes were killed.
  const watchdog = listProcesses().find(({ command }) => command.endsWith(`postgres-watchdog ${held.pid}`));
  process.kill(watchdog?.pid ?? 0, 'SIGKILL');
  const ended = once(held.parent, 'exit');
  held.parent.kill('SIGKILL');
  await ended;
  expect(findCommand(held.pid)).toContain('/postgres -D ');
  expect(await hasPulse(dir)).toBe(true);

  process.kill(held.pid, 'SIGKILL');
  const isServer = (command: string): boolean => command.startsWith(`postgres: ${dir.serverName}: `);
  expect(await untilGone(() => listProcesses().some(({ command }) => isServer(command)), 10_000)).toBe(true);
  expect(await untilGone(() => findCommand(held.pid) !== undefined, 10_000)).toBe(true);
  // The kernel takes the command line of a process that ends before it closes its files.
  await untilNoPulse(dir);
});
