import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROLES } from '@answer-evidence/runtime/roles';
import { isInstalled, openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { IMAGE_COMMANDS, layOutImage } from '../tools/image/lay-out-image.ts';
import { createRoutingTable, findRole, ownedPaths, SPLIT_ROLES, type SplitRole } from '../tools/proxy/routing-table.ts';
import {
  bundle,
  finish,
  type Finished,
  readToken,
  REPOSITORY,
  type ServiceProcess,
  until,
  watch,
} from './support/service-process.ts';
import { answer } from './support/test-service.ts';

const MINUTES_MS = 60_000;
const USER = 10_001;
const DATA = 'var/lib/answer-evidence';
/** Only root can make a root of its own; with `REQUIRE_SERVICES=1` these tests must run. */
const canRun = process.env.REQUIRE_SERVICES === '1' || (process.getuid?.() === 0 && isInstalled('unshare'));

/** What the image sets. */
const dockerfile = await readFile(join(REPOSITORY, 'Dockerfile'), 'utf8');
const imageEnvironment = Object.fromEntries(
  [...(/^ENV ((?:.*\\\n)*.*)/m.exec(dockerfile)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [
    name,
    value,
  ]),
);

/** The libraries that a program names, and the loader. */
function librariesOf(file: string): readonly string[] {
  const listed = execFileSync('ldd', [file], { encoding: 'utf8' });
  return [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
}

async function listFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.map(async (file) => [file.slice(folder.length), (await readFile(file)).toString('latin1')] as const),
    ),
  );
}

(canRun ? describe : describe.skip)('the files of the image, on nothing but Node and the C library', () => {
  let root: string;
  let database: TestDatabase;
  const processes = new Map<SplitRole, ServiceProcess>();
  const addresses = new Map<SplitRole, string>();

  function startInRoot(command: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const own = ['--mount-proc', '--root', root, '--wd', `/${DATA}`];
    const child = spawn('unshare', [...own, '-G', String(USER), '-S', String(USER), command, ...args], {
      env: { PATH: '/usr/local/bin:/bin', ...imageEnvironment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return watch(child);
  }

  function run(command: string, args: readonly string[], environment = {}): Promise<Finished> {
    return finish(startInRoot(command, args, environment));
  }

  async function place(file: string, path = file): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await cp(file, join(root, path), { dereference: true });
  }

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'answer-evidence-image-'));
    await chmod(root, 0o755);
    await layOutImage(root, (app) => dirname(bundle(app)));
    await place(process.execPath, 'usr/local/bin/node');
    await place('/bin/sh');
    const native = (await readdir(join(root, 'opt/answer-evidence/server'))).filter((name) => name.endsWith('.node'));
    expect(native).toHaveLength(1);
    for (const file of ['/usr/local/bin/node', '/bin/sh', `/opt/answer-evidence/server/${native[0]}`])
      for (const library of librariesOf(join(root, file))) await place(library);
    for (const path of ['proc', 'tmp', 'run/secrets', DATA]) await mkdir(join(root, path), { recursive: true });
    await chmod(join(root, 'tmp'), 0o1777);
    await chown(join(root, DATA), USER, USER);
    database = await openTestDatabase();
    const secrets = { master_key: randomBytes(32).toString('base64'), database_url: database.url };
    for (const [name, secret] of Object.entries(secrets))
      await writeFile(join(root, 'run/secrets', name), `${secret}\n`);
  }, 5 * MINUTES_MS);

  afterAll(async () => {
    await Promise.all([...processes.values()].map((process) => process.stop()));
    await database.close();
    await rm(root, { recursive: true, force: true });
  }, MINUTES_MS);

  it(
    'are the same when they are built again',
    async () => {
      const again = await mkdtemp(join(tmpdir(), 'answer-evidence-again-'));
      execFileSync(process.execPath, [join(REPOSITORY, 'tools/build/bundle.mjs'), 'src/main.ts', `${again}/main.js`], {
        cwd: join(REPOSITORY, 'apps/server'),
      });
      const files = await listFiles(again);
      for (const [path, text] of await listFiles(join(root, 'opt/answer-evidence/server')))
        expect([path, files.get(path) === text]).toEqual([path, true]);
      await rm(again, { recursive: true });
    },
    5 * MINUTES_MS,
  );

  it.each(Object.keys(IMAGE_COMMANDS))(
    'have %s, which starts',
    async (command) => {
      const { code, stderr, stdout } = await run(command, ['--help']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).not.toBe('');
    },
    MINUTES_MS,
  );

  it(
    'say what to set where there is no database',
    async () => {
      const { code, stderr } = await run('answer-evidence-server', []);
      expect([code, stderr]).toEqual([1, expect.stringContaining('set DATABASE_URL')]);
    },
    MINUTES_MS,
  );

  it(
    'run as the five processes of one host, which hand work to each other',
    async () => {
      const environment = {
        DATABASE_URL_FILE: '/run/secrets/database_url',
        SERVICE_MASTER_KEY_FILE: '/run/secrets/master_key',
        SERVICE_BASE_URL: 'http://evidence.example',
        SERVICE_HTTP_PORT: '0',
        SERVICE_METRICS_PORT: '0',
      };
      const made = await run(
        'answer-evidence-operator',
        [
          'workspace-create',
          '--slug',
          'acme',
          '--name',
          'Acme',
          '--manager',
          'anna',
          '--config',
          `/${DATA}/config.yaml`,
        ],
        environment,
      );
      expect([made.code, made.stderr]).toEqual([0, '']);
      for (const role of SPLIT_ROLES)
        processes.set(role, startInRoot('answer-evidence-server', ['--stages', ROLES[role].join()], environment));
      for (const [role, { ready, stderr }] of processes) {
        addresses.set(role, await ready);
        expect(stderr.join('\n')).toContain(` as ${role}, stages ${ROLES[role].join(', ')}`);
      }
      const token = await readToken(join(root, DATA));
      const table = createRoutingTable(ownedPaths());
      const call = async (method: string, path: string, body?: unknown): Promise<any> => {
        const response = await fetch(`${addresses.get(findRole(table, path))}${path}`, {
          method,
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
        return response.json();
      };
      const record = await call('POST', '/api/answer-audit-logs', answer('is the shop open?'));
      const checks = await call('GET', `/api/answer-audit-logs/${record.id}/ledger/verify`);
      expect(checks).toMatchObject({ answer_log_id: record.id });
      const asset = { application_key: record.application_key, segments: ['a passage'] };
      expect((await call('POST', '/api/evidence-assets', asset)).id).toMatch(/^[0-9a-f-]{36}$/);
      expect(await call('GET', '/api/answer-audit-logs/otel/unattached')).toMatchObject({ items: [] });
      expect(await call('GET', '/api/reconciliations/runs')).toMatchObject({ items: [] });
      // Published by the trust worker, of what the ingest API has signed.
      await until(
        'the publication',
        async () => (await call('GET', '/api/trust/checkpoints')).items.length > 0,
        MINUTES_MS,
      );
    },
    3 * MINUTES_MS,
  );
});
