import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { openLogDestination } from './log-destination.ts';

const LINE = 'a line\n';

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(5);
}

/** A pipe whose reader can be made to wait. */
function openPipe(folder: string) {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'ignore'] });
  return { reader, descriptor: openSync(path, 'w') };
}

describe('a destination of log lines', () => {
  it('drops and counts lines while it cannot be written to, and ends nothing', async () => {
    const descriptor = openSync('/dev/full', 'w');
    const destination = openLogDestination(() => undefined, descriptor);
    destination.write(LINE);
    await until(() => {
      destination.write(LINE);
      return destination.lostLines > 2;
    });
    closeSync(descriptor);
  });

  it('writes what it has kept when it can be written again, and tells how many lines were lost', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-log-'));
    const full = openSync('/dev/full', 'w');
    const told: number[] = [];
    const destination = openLogDestination((lost) => void told.push(lost), full);
    destination.write('first\n');
    await until(() => {
      destination.write('lost\n');
      return destination.lostLines === 3;
    });
    // The descriptor names another file from here on: the disk has room again.
    const path = join(folder, 'log');
    closeSync(full);
    expect(openSync(path, 'w')).toBe(full);
    await until(() => {
      destination.write('tried\n');
      return told.length > 0;
    });
    destination.write('last\n');
    await until(() => readFileSync(path, 'utf8').endsWith('last\n'));
    expect(readFileSync(path, 'utf8').split('\n')[0]).toBe('first');
    expect(told).toEqual([destination.lostLines]);
    closeSync(full);
    await rm(folder, { recursive: true });
  });

  it('survives a reader who goes away', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-log-'));
    const { reader, descriptor } = openPipe(folder);
    const destination = openLogDestination(() => undefined, descriptor);
    destination.write(LINE);
    reader.kill('SIGKILL');
    await until(() => {
      destination.write(LINE);
      return destination.lostLines > 0;
    });
    closeSync(descriptor);
    await rm(folder, { recursive: true });
  });
});
