import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';

/** A program whose start never ends, as one that waits for a folder of a server that is gone. */
const PROGRAM = `
  import { runUntilAsked } from ${JSON.stringify(new URL('./run-until-asked.ts', import.meta.url).href)};
  setInterval(() => undefined, 1_000);
  await runUntilAsked('hanging', (report) => new Promise(() => report('begins')));`;

describe('a start that never ends', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('is ended by the %s that comes after the first one', async (signal) => {
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', PROGRAM]);
    await once(child.stderr, 'data');
    const asking = setInterval(() => child.kill(signal), 100);
    try {
      expect(await once(child, 'exit')).toEqual([null, signal]);
    } finally {
      clearInterval(asking);
    }
  });
});
