import { spawnSync } from 'node:child_process';
import { chown, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findFreePort, openTestDatabase } from '@answer-evidence/testing';
import {
  postgresPidsOf,
  type ProcessOptions,
  readToken,
  REPOSITORY,
  type ServiceProcess,
  startProcess,
  until,
} from '../tools/scenery/service-process.ts';
import { listRecords } from './support/assert-nothing-lost.ts';
import { sendCreate } from './support/creating-client.ts';
import { copyReadyData } from './support/ready-data.ts';

const STOPPED = { code: 0, signal: null };
const ORDINARY_USER = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;

let folder: string;
let dataDir: string;
let running: ServiceProcess[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-start-'));
  dataDir = join(folder, 'data');
  running = [];
});
afterEach(async () => {
  for (const service of running) service.kill('SIGTERM');
  await Promise.all(running.map(({ exited }) => exited));
  await rm(folder, { recursive: true, force: true });
});

function start(options: Omit<ProcessOptions, 'dataDir'> = {}): ServiceProcess {
  const service = startProcess({ dataDir, ...options });
  running.push(service);
  return service;
}

async function modeOf(name: string): Promise<number> {
  return (await stat(join(dataDir, name))).mode & 0o777;
}

/** The repository where the ordinary user can read it: itself, or a copy when it lies under a closed folder. */
function readableRepository(): string {
  const main = join(REPOSITORY, 'apps/all-in-one/src/main.ts');
  const read = ['-e', 'require("node:fs").readFileSync(process.argv[1])', main];
  if (!isRoot || spawnSync(process.execPath, read, ORDINARY_USER).status === 0) return REPOSITORY;
  const copy = join(folder, 'repository');
  const parts = ['apps', 'libs', 'node_modules', 'package.json'].map((name) => join(REPOSITORY, name));
  spawnSync('/bin/sh', ['-c', 'mkdir -m 755 "$0" && cp -a "$@" "$0"', copy, ...parts]);
  spawnSync('chmod', ['-R', 'a+rX', copy]);
  return copy;
}

describe('a first start in an empty folder', () => {
  it('is ready only after it has made the workspace, its manager and its files, for nobody else to read', async () => {
    const port = await findFreePort();
    const service = start({ environment: { SERVICE_METRICS_PORT: String(port) } });
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until('the readiness', isReady);
    expect(await readToken(dataDir)).toMatch(/^aeu_/);
    const baseUrl = await service.ready;
    for (const name of ['config.yaml', 'postgres.url', 'master.key']) expect(await modeOf(name)).toBe(0o600);
    expect(await readFile(join(dataDir, 'config.yaml'), 'utf8')).toContain(`registry: ${baseUrl}\n`);
    expect(await readFile(join(dataDir, 'postgres.url'), 'utf8')).toMatch(/^postgres:\/\/postgres:\S+@127\.0\.0\.1:/);
    const secrets = await Promise.all(
      ['config.yaml', 'postgres.url'].map((name) => readFile(join(dataDir, name), 'utf8')),
    );
    const settings = await fetch(`${baseUrl}/api/tenant/settings`, {
      headers: { Authorization: `Bearer ${await readToken(dataDir)}` },
    });
    expect(settings.status).toBe(200);
    expect(await service.stop()).toEqual(STOPPED);
    expect(postgresPidsOf(dataDir)).toEqual([]);
    const said = [...service.stderr, ...service.stdout].join('\n');
    expect(said).toContain('created the workspace "demo"');
    expect(said).not.toContain(await readToken(dataDir));
    expect(said).not.toContain(/:\/\/postgres:([^@]+)@/.exec(secrets.join())?.[1]);
  });

  it('is followed by starts that change nothing and keep the records', async () => {
    await copyReadyData(dataDir);
    const first = start();
    const token = await readTokenOnce(first);
    const baseUrl = await first.ready;
    const agent = new Agent();
    expect((await sendCreate(agent, baseUrl, token, 'kept')).status).toBe(201);
    const before = await listRecords({ baseUrl, token, databaseUrl: '' });
    await first.stop();

    const second = start();
    const secondUrl = await second.ready;
    expect(await readToken(dataDir)).toBe(token);
    expect(await listRecords({ baseUrl: secondUrl, token, databaseUrl: '' })).toEqual(before);
    expect(before).toHaveLength(1);
    // Nothing is made and nothing migrated.
    expect(second.stderr.filter((line) => !/ready|vouches|metrics|starting PostgreSQL/.test(line))).toEqual([]);
    expect(await second.stop()).toEqual(STOPPED);
  });

  it('works for an ordinary user', async () => {
    const repository = readableRepository();
    await mkdir(dataDir);
    if (isRoot) {
      await chown(folder, ORDINARY_USER.uid, ORDINARY_USER.gid);
      await chown(dataDir, ORDINARY_USER.uid, ORDINARY_USER.gid);
    }
    const service = start({ repository, ...(isRoot ? { user: ORDINARY_USER } : {}) });
    const baseUrl = await service.ready;
    expect((await sendCreate(new Agent(), baseUrl, await readToken(dataDir), 'first')).status).toBe(201);
    expect(await service.stop()).toEqual(STOPPED);
    expect(postgresPidsOf(dataDir)).toEqual([]);
  });

  it('that was killed before its files were written leaves nobody outside: the next one issues another token', async () => {
    await copyReadyData(dataDir);
    const lost = await readToken(dataDir);
    await rm(join(dataDir, 'config.yaml'));

    const second = start();
    const token = await readTokenOnce(second);
    expect(token).not.toBe(lost);
    expect((await sendCreate(new Agent(), await second.ready, token, 'first')).status).toBe(201);
    await second.stop();
    // Once the workspace is in use, a missing file is somebody's decision.
    await rm(join(dataDir, 'config.yaml'));
    const third = start();
    await third.ready;
    await third.stop();
    await expect(stat(join(dataDir, 'config.yaml'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  async function readTokenOnce(service: ServiceProcess): Promise<string> {
    await service.ready;
    return readToken(dataDir);
  }
});

describe('DATABASE_URL', () => {
  it('takes the place of the embedded PostgreSQL, for several services that start at once', async () => {
    const database = await openTestDatabase();
    try {
      const environment = { DATABASE_URL: database.url };
      const services = [start({ environment }), start({ environment }), start({ environment })];
      const urls = await Promise.all(services.map(({ ready }) => ready));
      await until('config.yaml', () => readToken(dataDir).then(Boolean, () => false));
      const token = await readToken(dataDir);
      for (const [index, url] of urls.entries())
        expect((await sendCreate(new Agent(), url, token, `of service ${index}`)).status).toBe(201);
      expect(await listRecords({ baseUrl: urls[0] ?? '', token, databaseUrl: '' })).toHaveLength(3);
      expect(postgresPidsOf(dataDir)).toEqual([]);
      for (const service of services) expect(await service.stop()).toEqual(STOPPED);
    } finally {
      await database.close();
    }
  });
});

describe('SIGTERM', () => {
  it('under load: what was recorded was also answered, and nothing is left running', async () => {
    await copyReadyData(dataDir);
    const service = start();
    const baseUrl = await service.ready;
    const token = await readToken(dataDir);
    const agent = new Agent({ keepAlive: true, maxSockets: 32 });
    const acknowledged: string[] = [];
    const failures = new Set<string>();
    let next = 0;
    let stopped = false;
    async function send(): Promise<void> {
      while (!stopped) {
        const key = `message-${next++}`;
        try {
          const { status } = await sendCreate(agent, baseUrl, token, key);
          if (status === 201) acknowledged.push(key);
          else failures.add(String(status));
        } catch (error) {
          failures.add(String((error as { readonly code?: string }).code));
          // The listener is gone, or this connection was idle when it was closed.
          if (failures.has('ECONNREFUSED')) return;
        }
      }
    }
    const sending = Array.from({ length: 32 }, send);
    await until('a load', () => acknowledged.length > 500);
    const exit = await service.stop();
    stopped = true;
    await Promise.all(sending);
    agent.destroy();
    expect(exit).toEqual(STOPPED);
    expect(postgresPidsOf(dataDir)).toEqual([]);
    expect([...failures].filter((failure) => !/^(ECONNREFUSED|ECONNRESET|EPIPE)$/.test(failure))).toEqual([]);

    const again = start();
    const stored = await listRecords({ baseUrl: await again.ready, token, databaseUrl: '' });
    expect(stored.map(([key]) => key).sort()).toEqual([...acknowledged].sort());
    expect(await again.stop()).toEqual(STOPPED);
  });

  it('during a start ends the service as well', async () => {
    await copyReadyData(dataDir);
    const service = start();
    await until('the start of PostgreSQL', () => postgresPidsOf(dataDir).length > 0);
    expect(await service.stop()).toEqual(STOPPED);
    expect(postgresPidsOf(dataDir)).toEqual([]);
  });
});
