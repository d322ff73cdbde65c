import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod';
import { createWorkspaceWithManager } from '../../../libs/runtime/src/open/first-workspace.ts';
import { percentileOf } from '../figures.ts';
import { CREATE, createSender, RefusedError, type Send } from '../load/send-request.ts';
import { readResident } from '../machine/read-resident.ts';
import { createBodyTemplate, formatKey, KEY_PLACEHOLDER } from '../service/create-body.ts';
import { issueToken } from '../service/open-service.ts';
import type { WorkspacesPoint } from './growth-figures.ts';
import { BYTES_PER_MIB, type Place } from './measure-log.ts';

/** Creates of all workspaces together. */
const OFFERED_PER_SECOND = 50;
const SAMPLES = 12;
const CREATED_AT_ONCE = 8;
/** The service names one second too, in `Retry-After`. */
const RETRY_AFTER_MS = 1_000;
const configFile = z.object({ auth: z.object({ token: z.string() }) });

/** Senders of the workspaces that are there already; more are made. */
export type Tenants = { readonly senders: Send[] };

/** Makes workspaces until there are so many, sends each its share of a light load, and watches the memory. */
export async function measureWorkspaces(
  { loader, progress, service }: Place,
  { senders }: Tenants,
  workspaces: number,
  seconds: number,
): Promise<WorkspacesPoint> {
  const begun = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-growth-'));
  const make = async (): Promise<void> => {
    const slug = `tenant-${senders.length}`;
    senders.push(() => Promise.reject(new Error('the workspace is not made yet')));
    const place = senders.length - 1;
    const file = join(folder, slug);
    const wanted = { slug, displayName: slug, username: 'mia' };
    await createWorkspaceWithManager(loader.stores, service.baseUrl, wanted, file);
    const { auth } = configFile.parse(parseYaml(await readFile(file, 'utf8')));
    senders[place] = createSender(service.createUrl, await issueToken(service.baseUrl, auth.token), CREATE, 1);
  };
  const work = async (): Promise<void> => {
    while (senders.length < workspaces) await make();
  };
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, work));
  await rm(folder, { recursive: true });
  progress(`${workspaces} workspaces after ${Math.round((performance.now() - begun) / 1_000)} s`);

  const { latencies, memory, refusals } = await sendToAll(senders.slice(0, workspaces), service, seconds);
  const point = {
    workspaces,
    offeredPerSecond: OFFERED_PER_SECOND,
    seconds,
    createP50Ms: Math.round(percentileOf(latencies, 0.5) * 100) / 100,
    createP99Ms: Math.round(percentileOf(latencies, 0.99) * 100) / 100,
    refusals,
    serviceMemoryMiB: memory,
  };
  progress(JSON.stringify(point));
  return point;
}

async function sendToAll(senders: readonly Send[], service: Place['service'], seconds: number) {
  const template = createBodyTemplate();
  const prefix = service.nextPrefix();
  const latencies: number[] = [];
  const memory: number[] = [];
  let refusals = 0;
  const answers: Promise<void>[] = [];
  const start = performance.now();
  const total = OFFERED_PER_SECOND * seconds;
  for (let sent = 0; sent < total;) {
    const elapsedSeconds = (performance.now() - start) / 1_000;
    const due = Math.min(total, Math.floor(elapsedSeconds * OFFERED_PER_SECOND) + 1);
    for (; sent < due; sent++) answers.push(send(sent, start + (sent / OFFERED_PER_SECOND) * 1_000));
    if (elapsedSeconds >= (memory.length * seconds) / SAMPLES) memory.push(await readMiB(service.pid));
    await delay(5);
  }
  await Promise.all(answers);
  memory.push(await readMiB(service.pid));
  return { latencies, memory, refusals };

  async function send(number: number, dueAt: number): Promise<void> {
    const sender = senders[number % senders.length];
    const body = template.replace(KEY_PLACEHOLDER, formatKey(prefix, number));
    while (!(await isTaken(sender?.(body)))) {
      refusals += 1;
      await delay(RETRY_AFTER_MS);
    }
    latencies.push(performance.now() - dueAt);
  }
}

/** Whether a create was recorded; after 503, which means not at the moment, any client retries the same request. */
async function isTaken(sent: Promise<void> | undefined): Promise<boolean> {
  try {
    await sent;
    return true;
  } catch (error) {
    if (error instanceof RefusedError && error.status === 503) return false;
    throw error;
  }
}

async function readMiB(pid: number): Promise<number> {
  return Math.round((await readResident(pid)) / BYTES_PER_MIB);
}
