import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findFreePort, openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { openSmallDisk, type SmallDisk } from '../tools/faults/small-disk.ts';
import { readToken, runApp, type ServiceProcess, startProcess, until } from '../tools/scenery/service-process.ts';
import { answer } from '../tools/scenery/test-service.ts';

/** Folders are looked at every 15 s. */
const NOTICED_MS = 60_000;
const DISK_MB = 8;
const FULL = ['evidence', 'heads', 'temporary'] as const;

let folder: string;
let dataDir: string;
let database: TestDatabase;
let service: ServiceProcess;
let environment: Readonly<Record<string, string>>;
const disks = new Map<string, SmallDisk>();
let metricsPort = 0;
let canFill = true;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-space-'));
  dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const at = { evidence: join(dataDir, 'objects'), heads: join(folder, 'heads'), temporary: join(folder, 'temporary') };
  for (const name of FULL) disks.set(name, await openSmallDisk(at[name], DISK_MB));
  canFill = [...disks.values()].every((disk) => disk.canBeFilled);
  if (!canFill) process.stderr.write('disks cannot be filled: only root may mount small ones\n');
  database = await openTestDatabase();
  metricsPort = await findFreePort();
  environment = { DATABASE_URL: database.url, SERVICE_HEADS: `folder:${at.heads}`, TMPDIR: at.temporary };
  service = startProcess({ dataDir, environment: { ...environment, SERVICE_METRICS_PORT: String(metricsPort) } });
  await service.ready;
}, 60_000);
afterAll(async () => {
  await service.stop();
  await database.close();
  for (const disk of disks.values()) await disk.close();
  await rm(folder, { recursive: true, force: true });
});

type Ready = { readonly ok: boolean; readonly short_folders?: readonly { readonly folders: readonly string[] }[] };

async function ask(path: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${metricsPort}${path}`)).text();
}

/** The small disks that the service tells of; the machine's own may be short as well. */
async function listShort(): Promise<readonly string[]> {
  const { ok, short_folders: short = [] } = JSON.parse(await ask('/readyz')) as Ready;
  expect(ok).toBe(true);
  return short.flatMap(({ folders }) => folders).filter((name) => disks.has(name));
}

it.each(FULL)(
  'a service whose disk for %s fills up says so, and not once there is room',
  async (name) => {
    if (!canFill) return;
    expect(await listShort()).toEqual([]);
    await disks.get(name)?.fill();
    await until('the warning', async () => (await listShort()).length > 0, NOTICED_MS);
    expect(await listShort()).toEqual([name]);
    expect(await ask('/metrics')).toMatch(new RegExp(`^folder_free_bytes\\{folder="${name}"\\} 0$`, 'm'));
    const { stdout } = await runApp('operator', ['doctor'], { dataDir, environment });
    expect(stdout).toMatch(
      new RegExp(`^WARN space\\.${name}: .* \\(${name}\\) has 0\\.0 MiB free of 8 MiB, less than`, 'm'),
    );
    await disks.get(name)?.free();
    await until('the end', async () => (await listShort()).length === 0, NOTICED_MS);
    const created = await fetch(new URL('/api/answer-audit-logs', await service.ready), {
      method: 'POST',
      headers: { Authorization: `Bearer ${await readToken(dataDir)}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(answer('beside a disk with room')),
    });
    expect(created.status).toBe(201);
  },
  180_000,
);
