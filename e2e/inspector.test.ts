import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { REPOSITORY, startProcess, until } from '../tools/scenery/service-process.ts';

let dataDir: string;
let database: TestDatabase;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-inspector-'));
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** The ports on which a process listens, as the kernel has them. */
async function portsOf(pid: number): Promise<readonly number[]> {
  const folder = `/proc/${pid}/fd`;
  const links = await Promise.all((await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => '')));
  const table = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8')));
  return table
    .flatMap((text) => text.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && links.includes(`socket:[${inode}]`))
    .map(([, address = '']) => parseInt(address.split(':')[1] ?? '', 16));
}

it('is opened by no signal to a running service, also one that was started without the flag', async () => {
  for (const more of [{}, { nodeOptions: [] }]) {
    const service = startProcess({ dataDir, environment: { DATABASE_URL: database.url }, ...more });
    await service.ready;
    const before = await portsOf(service.pid);
    expect(before).toHaveLength(2);
    for (let n = 0; n < 3; n++) service.kill('SIGUSR1');
    const page = await fetch(`${await service.ready}/api/openapi.json`);
    expect(page.status).toBe(200);
    expect((await portsOf(service.pid)).toSorted()).toEqual(before.toSorted());
    expect(service.stderr.filter((line) => /debugger/i.test(line))).toEqual([]);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  }
}, 120_000);

it('is opened by the same signal to a program that has neither, so that the test above can see it', async () => {
  const child = spawn(process.execPath, ['--inspect-port=0', '-e', 'setInterval(() => {}, 1000); console.log("up")'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGUSR1');
  await until('the inspector', async () => (await portsOf(child.pid ?? 0)).length === 1);
  child.kill('SIGKILL');
});

it('is switched off by every command that starts one of our programs', async () => {
  const { scripts } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const starts = Object.values(scripts).filter((script) => /apps\/[a-z-]+\/src\/main\.ts/.test(script));
  expect(starts.length).toBeGreaterThanOrEqual(3);
  // What comes before the last command builds what it needs, and runs none of them.
  for (const script of starts) expect(script.split(' && ').at(-1)).toMatch(/^(?:exec )?node [^/]*--disable-sigusr1 /);
});
