import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { problem } from '@answer-evidence/contracts';
import { findFreePort, isInstalled, listen, type ListeningServer } from '@answer-evidence/testing';
import { formatCaddy, formatNginx, type ProxyPlaces } from './format-proxies.ts';
import { createRoutingTable, ownedPaths, SPLIT_ROLES, type SplitRole } from './routing-table.ts';

const DEADLINE_MS = 60_000;
const UPLOAD_BYTES = 3_000_000;

/** A proxy under test: how its configuration becomes files and a command. */
type Proxy = {
  readonly program: string;
  readonly configure: (folder: string, places: ProxyPlaces) => Promise<readonly string[]>;
};

const PROXIES: readonly Proxy[] = [
  {
    program: 'nginx',
    async configure(folder, places) {
      // What the configuration of every installation has around `conf.d`.
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder};`,
      );
      await writeFile(join(folder, 'conf.d'), formatNginx(table, places));
      await writeFile(
        join(folder, 'nginx.conf'),
        `pid ${folder}/pid; events {} http { ${temporary.join(' ')} include ${folder}/conf.d; }`,
      );
      return ['-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'];
    },
  },
  {
    program: 'caddy',
    async configure(folder, places) {
      await writeFile(join(folder, 'Caddyfile'), formatCaddy(table, places));
      return ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
    },
  },
];

const table = createRoutingTable(ownedPaths());

/** A process of a role: it says which one it is, the path that reached it, and how much came with it. */
function openRole(role: SplitRole): Promise<ListeningServer> {
  return listen((req, res) => {
    let bytes = 0;
    req.on('data', (chunk: Uint8Array) => (bytes += chunk.length));
    req.on('end', () => {
      const { host, 'x-forwarded-for': from } = req.headers;
      res.end(JSON.stringify({ role, url: req.url, host, from, bytes }));
    });
  });
}

async function untilAnswered(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    try {
      await fetch(url);
      return;
    } catch (error) {
      if (performance.now() > deadline || child.exitCode !== null) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** With `REQUIRE_SERVICES=1` they must run. */
const canRun = (program: string): boolean => process.env.REQUIRE_SERVICES === '1' || isInstalled(program);

describe.each(PROXIES)('$program with the generated configuration', ({ configure, program }) => {
  if (!canRun(program)) {
    it.skip('is not installed', () => undefined);
    return;
  }
  const servers = new Map<SplitRole, ListeningServer>();
  let folder: string;
  let child: ChildProcess;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'answer-evidence-proxy-'));
    for (const role of SPLIT_ROLES) servers.set(role, await openRole(role));
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    const args = await configure(folder, { port, addressOf: (role) => new URL(servers.get(role)?.url ?? '').host });
    child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, HOME: folder } });
    await untilAnswered(url, child);
  }, DEADLINE_MS);

  afterAll(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    for (const server of servers.values()) await server.close();
    await rm(folder, { recursive: true, force: true });
  }, DEADLINE_MS);

  it('sends every operation to the process that serves it, as it was asked', async () => {
    for (const { path, role } of ownedPaths()) {
      const asked = `${path.replaceAll(/\{\+?([^}]*)\}/g, '$1')}?page=1&q=a%2Fb`;
      const seen = await (await fetch(`${url}${asked}`)).json();
      expect(seen).toMatchObject({ role, url: asked, host: new URL(url).host, from: '127.0.0.1' });
    }
  });

  it('passes on what is larger than its own limits would be', async () => {
    const response = await fetch(`${url}/api/evidence-assets`, { method: 'POST', body: new Uint8Array(UPLOAD_BYTES) });
    expect(await response.json()).toMatchObject({ role: 'evidence-store', bytes: UPLOAD_BYTES });
  });

  it('answers for a process that cannot be reached with a problem to be repeated, and goes on for the others', async () => {
    await servers.get('trust-worker')?.close();
    servers.delete('trust-worker');
    const refused = await fetch(`${url}/api/trust/policy`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(problem.parse(await refused.json())).toMatchObject({ status: 503, code: 'overloaded' });
    expect((await fetch(`${url}/api/whoami`)).status).toBe(200);
  });
});
