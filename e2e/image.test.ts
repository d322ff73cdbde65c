import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROLES } from '@answer-evidence/runtime/roles';
import { isInstalled, openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { IMAGE_COMMANDS } from '../tools/image/lay-out-image.ts';
import { parseImageConfig } from '../tools/oci/image-config.ts';
import { createRoutingTable, findRole, ownedPaths, SPLIT_ROLES, type SplitRole } from '../tools/proxy/routing-table.ts';
import {
  finish,
  type Finished,
  readToken,
  REPOSITORY,
  type ServiceProcess,
  until,
  watch,
} from '../tools/scenery/service-process.ts';
import { answer } from '../tools/scenery/test-service.ts';
import { type BuiltImage, type ImageBuilder, prepareImageBuilds, withoutBuilder } from './support/container-image.ts';

const MINUTES_MS = 60_000;
const USER = 10_001;
const DATA = 'var/lib/answer-evidence';
/** Only root can build it and start in it; with `REQUIRE_SERVICES=1` these tests must run. */
const canRun =
  process.env.REQUIRE_SERVICES === '1' ||
  (process.getuid?.() === 0 && isInstalled('unshare') && isInstalled('buildah'));

async function listFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.map(async (file) => [file.slice(folder.length), (await readFile(file)).toString('latin1')] as const),
    ),
  );
}

(canRun ? describe : describe.skip)('the image of the Dockerfile, on nothing but Node and the C library', () => {
  let folder: string;
  let build: ImageBuilder;
  let image: BuiltImage;
  let root: string;
  let database: TestDatabase;
  const processes = new Map<SplitRole, ServiceProcess>();
  const addresses = new Map<SplitRole, string>();

  function startInRoot(command: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const own = ['--mount-proc', '--root', root, '--wd', `/${DATA}`];
    const child = spawn('unshare', [...own, '-G', String(USER), '-S', String(USER), command, ...args], {
      env: { ...Object.fromEntries(image.config.Env.map((line) => line.split(/=(.*)/s))), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return watch(child);
  }

  function run(command: string, args: readonly string[], environment = {}): Promise<Finished> {
    return finish(startInRoot(command, args, environment));
  }

  beforeAll(async () => {
    // On a disk: the folder for temporary files may be in memory, and this needs 1 GB.
    folder = await mkdtemp('/var/tmp/answer-evidence-image-');
    build = await prepareImageBuilds(folder);
    image = build('oci');
    root = image.unpack();
    // What an engine mounts there.
    for (const path of ['run/secrets', 'dev/shm']) await mkdir(join(root, path), { recursive: true });
    await chmod(join(root, 'dev/shm'), 0o1777);
    execFileSync('mknod', ['--mode=666', join(root, 'dev/null'), 'c', '1', '3']);
    await symlink('/proc/self/fd/0', join(root, 'dev/stdin'));
    database = await openTestDatabase();
    const secrets = { master_key: randomBytes(32).toString('base64'), database_url: database.url };
    for (const [name, secret] of Object.entries(secrets))
      await writeFile(join(root, 'run/secrets', name), `${secret}\n`);
  }, 5 * MINUTES_MS);

  afterAll(async () => {
    await Promise.all([...processes.values()].map((process) => process.stop()));
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }, MINUTES_MS);

  it('says what it is: version, licences, user, ports, and what is in it', async () => {
    const { version } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };
    expect(image.config).toMatchObject({
      User: `${USER}:${USER}`,
      WorkingDir: `/${DATA}`,
      Entrypoint: ['answer-evidence-server'],
      Labels: {
        'org.opencontainers.image.title': 'Answer Evidence Service',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': 'Apache-2.0',
        'org.opencontainers.image.revision': 'unknown',
      },
    });
    expect(Object.keys(image.config.ExposedPorts).toSorted()).toEqual(['4317/tcp', '8080/tcp', '9464/tcp']);
    const materials = JSON.parse(await readFile(join(root, 'opt/answer-evidence/sbom.cdx.json'), 'utf8'));
    expect(materials).toMatchObject({ bomFormat: 'CycloneDX' });
    expect(materials.components.map(({ name }: { name: string }) => name)).toContain('@node-rs/argon2');
    for (const name of ['LICENSE', 'NOTICE', 'server/THIRD-PARTY-LICENSES.txt'])
      expect(await readFile(join(root, 'opt/answer-evidence', name), 'utf8')).toContain('Licen');
  });

  it(
    'is the same, to the last byte, when it is built again',
    () => {
      expect(build('oci').id).toBe(image.id);
    },
    5 * MINUTES_MS,
  );

  it(
    'names the revision that it is told, and how to ask for its health, as an image that is made without an engine',
    async () => {
      const given = { REVISION: '0123abc' };
      const { config } = build('docker', given);
      const { Healthcheck, Labels } = config;
      expect(Labels['org.opencontainers.image.revision']).toBe('0123abc');
      const read = parseImageConfig(await readFile(join(REPOSITORY, 'Dockerfile'), 'utf8'), given);
      expect(withoutBuilder(config)).toEqual(read);
      // `tools/image/health.test.ts` runs it.
      expect(Healthcheck?.Test).toEqual(['CMD', 'answer-evidence-health']);
      const command = await readFile(join(root, 'usr/local/bin/answer-evidence-health'), 'utf8');
      expect(command).toContain('/opt/answer-evidence/health.mjs');
      expect(await readFile(join(root, 'opt/answer-evidence/health.mjs'), 'utf8')).toContain('/readyz');
    },
    5 * MINUTES_MS,
  );

  it(
    'has the bundles that every build of these sources makes',
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
    'has %s, which starts',
    async (command) => {
      const { code, stderr, stdout } = await run(command, ['--help']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).not.toBe('');
    },
    MINUTES_MS,
  );

  it(
    'runs alone, with its own PostgreSQL in the data folder, to a record that its command line verifies',
    async () => {
      const environment = { SERVICE_HTTP_PORT: '0', SERVICE_METRICS_PORT: '0' };
      const service = startInRoot('answer-evidence-server', [], environment);
      try {
        await service.ready;
        const cli = async (...args: readonly string[]) => {
          const { code, stdout, stderr } = await run('answer-evidence', args);
          expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
          return stdout;
        };
        const texts = ['--question-text', 'is it open?', '--answer-text', 'it is'];
        const id = await cli('records', 'create', '--quiet', '--application', 'bot', ...texts);
        await cli('trust', 'proof', id, '--out', '/tmp/bundle.json');
        await cli('trust', 'export', '--out', '/tmp/trust.json');
        expect(await cli('verify', '/tmp/bundle.json', '--trust', '/tmp/trust.json')).toContain('PASS');
      } finally {
        await service.stop();
      }
      // What one container wrote, the next one reads.
      const again = startInRoot('answer-evidence-server', [], environment);
      await again.ready;
      await again.stop();
      await rm(join(root, DATA), { recursive: true });
      await mkdir(join(root, DATA));
      await chown(join(root, DATA), USER, USER);
    },
    2 * MINUTES_MS,
  );

  it(
    'runs as the five processes of one host, which hand work to each other',
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
