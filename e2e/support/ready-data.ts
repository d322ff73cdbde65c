import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programsVariable } from '@answer-evidence/testing';
import { startProcess } from '../../tools/scenery/service-process.ts';

/**
 * A temporary data folder as the first start of a service leaves it: with the workspace "demo" and its manager's token.
 * It is a copy, which takes a fraction of such a start. All copies of a run have one master key and one token, and the
 * address in their `config.yaml` is that of the service which made the first.
 */
export async function openReadyData(name: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), `answer-evidence-${name}-`));
  await copyReadyData(dataDir);
  return dataDir;
}

/** The same, in a folder that is empty or not there. */
export async function copyReadyData(dataDir: string): Promise<void> {
  const ready = await makeReadyData();
  // Owners and modes are kept, which PostgreSQL asks for.
  const { status, stderr } = spawnSync('cp', ['-a', '--reflink=auto', `${ready}/.`, dataDir], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the data folder cannot be copied: ${stderr}`);
}

/** The folder that others are copied from. The first who needs it makes it, by a start of the service. */
async function makeReadyData(): Promise<string> {
  const { [programsVariable]: folder = '' } = process.env;
  const ready = join(folder, 'ready-data');
  if (existsSync(ready)) return ready;
  const draft = await mkdtemp(`${ready}.`);
  const service = startProcess({ dataDir: draft });
  await service.ready;
  await service.stop();
  // The end of a pipe belongs to the server that it ends, and copies would all begin with the port of the last start.
  await rm(join(draft, 'postgres/pulse'));
  await rm(join(draft, 'postgres/port'));
  try {
    await rename(draft, ready);
  } catch (error) {
    // Another worker was faster.
    if (!existsSync(ready)) throw error;
    await rm(draft, { recursive: true });
  }
  return ready;
}
