import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startS3Processes, startTestS3, type TestS3 } from './s3-server.ts';

/** The variable that names the folder of the S3 server which all files of a test run share. */
export const s3Variable = 'TEST_S3';

/** A bucket may also be the first part of a host in this domain. */
export const S3_DOMAIN = 's3.test';

type Shared = Pick<TestS3, 'url' | 'accessKey' | 'secretKey'> & { readonly pids: readonly number[] };
type Told = Shared | { readonly failure: string };

const START_MS_MAX = 180_000;

/**
 * The S3 server of the test run, which the first who asks starts; outside of a run, one of the caller's own. Each file
 * makes buckets of its own there. Anyone who opened it closes it.
 */
export async function openTestS3(): Promise<TestS3> {
  const folder = process.env[s3Variable];
  if (folder === undefined) return startTestS3(tmpdir(), S3_DOMAIN);
  const place = join(folder, 'server.json');
  const isFirst = await mkdir(join(folder, 'taken')).then(
    () => true,
    () => false,
  );
  if (isFirst) await tell(place, await start(folder));
  const told = await readTold(place);
  if ('failure' in told) throw new Error(told.failure);
  const { url, accessKey, secretKey } = told;
  return { url, accessKey, secretKey, close: () => Promise.resolve() };
}

/** Ends the server of a folder, if anybody has started one. */
export async function endSharedS3(folder: string): Promise<void> {
  const told = await readFile(join(folder, 'server.json'), 'utf8').catch(() => undefined);
  const { pids } = { pids: [], ...(told === undefined ? {} : (JSON.parse(told) as Partial<Shared>)) };
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
}

async function start(folder: string): Promise<Told> {
  try {
    const { url, accessKey, secretKey, processes } = await startS3Processes(folder, S3_DOMAIN);
    // They outlive this process, which has nothing to wait for when its tests are done.
    for (const one of processes) one.unref();
    return { url, accessKey, secretKey, pids: processes.flatMap(({ pid = [] }) => pid) };
  } catch (error) {
    return { failure: String(error) };
  }
}

/** Whole, or not at all. */
async function tell(place: string, told: Told): Promise<void> {
  await writeFile(`${place}.draft`, JSON.stringify(told));
  await rename(`${place}.draft`, place);
}

async function readTold(place: string): Promise<Told> {
  for (const deadline = Date.now() + START_MS_MAX; Date.now() < deadline; await delay(50)) {
    const text = await readFile(place, 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text) as Told;
  }
  throw new Error('another file of the run has begun to start an S3 server, and it was not ready in time');
}
