import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { PRODUCT_VERSION } from '@answer-evidence/contracts';
import { ROLES } from '@answer-evidence/runtime/roles';
import { pythonBin, requiresPythonTools, runTool } from '../foreign-tools/python-tools.ts';
import { SPLIT_ROLES } from '../proxy/routing-table.ts';
import { writeSecrets } from './write-secrets.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
/** There is no package of it for other machines. */
const hasCompose = requiresPythonTools || existsSync(join(pythonBin, 'docker-compose'));
const read = async (name: string): Promise<any> =>
  parse(await readFile(new URL(`../../${name}`, import.meta.url), 'utf8'), { merge: true });
const compose = await read('docker-compose.yml');
const services: readonly (readonly [string, any])[] = Object.entries(compose.services);
const processes = services.filter(([name]) => (SPLIT_ROLES as readonly string[]).includes(name));
/** Rights of root, by the containers that have any. Caddy cannot be started without the one that it does not use. */
const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  'objects-owner': ['CHOWN'],
  'certificates-owner': ['CHOWN'],
  volumes: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'],
  tls: ['NET_BIND_SERVICE'],
};
let folder: string;

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'answer-evidence-compose-')), 'secrets');
  expect(await writeSecrets(folder)).toBe(true);
});

afterAll(() => rm(join(folder, '..'), { recursive: true }));

describe('docker-compose.yml', () => {
  it.each(services)('contains %s: no rights, no writable root, limits, a health check, a version', (name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: expect.any(Number),
      mem_limit: expect.any(String),
      cpus: expect.any(Number),
      image: expect.stringMatching(/:(?!latest)[\w.-]*\d/),
      logging: { driver: 'local', options: { 'max-size': '10m', 'max-file': '5' } },
    });
    // What handles the files of others ends before anything else begins, and reaches no network.
    if (name.endsWith('-owner') || name === 'volumes') expect([name, service.network_mode]).toEqual([name, 'none']);
    else expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(service.cap_add).toEqual(RIGHTS[name]);
    expect(service.healthcheck.disable ?? service.healthcheck.test).toBeTruthy();
  });

  it('runs the stages of each role under its name, behind the proxy alone', () => {
    const stages = processes.map(([name, { command }]) => [name, command]);
    expect(Object.fromEntries(stages)).toEqual(
      Object.fromEntries(SPLIT_ROLES.map((role) => [role, ['--stages', ROLES[role].join()]])),
    );
    const published = services.filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name, { profiles }]) => [name, profiles])).toEqual([
      ['proxy', undefined],
      ['tls', ['tls']],
      ['prometheus', ['metrics']],
    ]);
    for (const [name, { networks = [] }] of services)
      if (networks.includes('data')) expect([name, networks.includes('edge')]).toEqual([name, false]);
  });

  it('builds the image in one place, which everything else takes it from', () => {
    const own = services.filter(([, { image }]) => image.includes('answer-evidence:'));
    expect(own.map(([name]) => name).toSorted()).toEqual([...SPLIT_ROLES, 'operator', 'witness'].toSorted());
    expect(own.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(['ingest-api']);
    for (const [, { image, init, pull_policy: policy }] of own)
      expect([image, init, policy]).toEqual([
        `\${SERVICE_IMAGE:-answer-evidence:${PRODUCT_VERSION}}`,
        true,
        '${SERVICE_PULL_POLICY:-never}',
      ]);
  });

  it('gives a slow machine five minutes for what others wait for', () => {
    const awaited = services.flatMap(([, { depends_on: on = {} }]) =>
      Object.entries<any>(on).flatMap(([name, { condition }]) => (condition === 'service_healthy' ? [name] : [])),
    );
    for (const name of new Set(awaited.filter((awaitedName) => awaitedName !== 'proxy')))
      expect([name, compose.services[name].healthcheck.start_period]).toEqual([name, '300s']);
  });

  it('has the metrics of every process read', async () => {
    const { scrape_configs: configs } = await read('deploy/compose/prometheus.yml');
    const names = configs.flatMap((config: any) => config.dns_sd_configs.flatMap((sd: any) => sd.names));
    expect(names.toSorted()).toEqual([...SPLIT_ROLES].toSorted());
  });

  it('has PostgreSQL take the connections of two instances of each process, each of which is a process there', async () => {
    const sizing = await readFile(join(REPOSITORY, 'docs/operations/sizing.md'), 'utf8');
    const perProcess = Number(/\| with `REDIS_URL` +\| (\d+) /.exec(sizing)?.[1]);
    const { command, pids_limit: pids } = compose.services.postgres;
    const taken = Number(/max_connections=(\d+)/.exec(command.join(' '))?.[1]);
    expect(taken).toBeGreaterThanOrEqual(perProcess * processes.length * 2 + 20);
    expect(pids).toBeGreaterThan(taken + 50);
  });

  it('uses what it declares: secrets, volumes and networks', () => {
    const used = (of: (service: any) => readonly string[] | undefined) =>
      [...new Set(services.flatMap(([, service]) => of(service) ?? []))].toSorted();
    expect(used(({ secrets }) => secrets)).toEqual(Object.keys(compose.secrets).toSorted());
    expect(used(({ networks }) => networks)).toEqual(Object.keys(compose.networks).toSorted());
    const named = used(({ volumes }) => volumes?.map((volume: string) => volume.split(':')[0]));
    expect(named.filter((name) => !name.startsWith('.'))).toEqual(Object.keys(compose.volumes).toSorted());
    const files = services.flatMap(([, { environment = {}, secrets = [] }]) =>
      Object.entries<string>(environment)
        .filter(([name]) => name.endsWith('_FILE'))
        .map(([, path]) => secrets.includes(path.replace('/run/secrets/', ''))),
    );
    expect(files).not.toContain(false);
  });

  it('leads OTLP over gRPC through the proxy to the port where the OTLP ingester takes it', async () => {
    const { environment } = compose.services['otlp-ingester'];
    const proxy = await readFile(new URL('../../deploy/proxy/nginx.conf', import.meta.url), 'utf8');
    expect(proxy).toContain(`set $answer_evidence_grpc otlp-ingester:${environment.SERVICE_OTLP_GRPC_PORT};`);
    const [, listened] = /listen (\d+) http2;/.exec(proxy) ?? [];
    expect(compose.services.proxy.ports.map((port: string) => port.split(':').at(-1))).toContain(listened);
  });

  it('gives the service a user of MinIO who may use its bucket alone', async () => {
    const holders = services.filter(([, { secrets = [] }]) => secrets.includes('minio_root_password'));
    expect(holders.map(([name]) => name)).toEqual(['minio', 'bucket', 'heads-copy']);
    const { Statement } = JSON.parse(
      await readFile(new URL('../../deploy/minio/policy.json', import.meta.url), 'utf8'),
    );
    const bucket = `arn:aws:s3:::${compose.services['ingest-api'].environment.S3_BUCKET}`;
    expect(Statement.flatMap((statement: any) => statement.Resource)).toEqual([bucket, `${bucket}/*`]);
    for (const action of Statement.flatMap((statement: any) => statement.Action))
      expect(action).toMatch(/^s3:(Get|List|Put|Delete|Abort)\w+$/);
  });

  it('has two instances of each process in the second file, and changes nothing else there', async () => {
    const twice = Object.fromEntries(SPLIT_ROLES.map((role) => [role, { deploy: { replicas: 2 } }]));
    expect(await read('docker-compose.two.yml')).toEqual({ services: twice });
  });
});

(hasCompose ? describe : describe.skip)('docker compose, which reads the files without an engine', () => {
  const config = (...files: readonly string[]) =>
    runTool('docker-compose', [...files.flatMap((file) => ['--file', file]), '--profile', '*', 'config'], {
      cwd: REPOSITORY,
    });

  it.each([
    ['the file', ['docker-compose.yml']],
    ['the file with that of two instances', ['docker-compose.yml', 'docker-compose.two.yml']],
  ])('takes %s, and warns of nothing', async (_, files) => {
    const { code, output } = await config(...files);
    expect([code, code === 0 ? '' : output, output.includes('level=warning')]).toEqual([0, '', false]);
    const resolved = parse(output, { merge: true });
    expect(Object.keys(resolved.services).toSorted()).toEqual(services.map(([name]) => name).toSorted());
    for (const role of SPLIT_ROLES) expect(resolved.services[role].deploy?.replicas).toBe(files.length);
  });

  it('refuses a file with a word that it does not know', async () => {
    const broken = join(folder, '..', 'broken.yml');
    const text = await readFile(join(REPOSITORY, 'docker-compose.yml'), 'utf8');
    await writeFile(broken, text.replace('read_only: true', 'read_onyl: true'));
    expect((await config(broken)).output).toContain('read_onyl');
  });
});

describe('the secrets of compose:init', () => {
  const secret = async (name: string) => (await readFile(join(folder, name), 'utf8')).trimEnd();

  it('are the files that docker-compose.yml names, in a folder for its owner', async () => {
    expect((await readdir(folder)).toSorted()).toEqual(Object.keys(compose.secrets).toSorted());
    for (const [name, { file }] of Object.entries<any>(compose.secrets)) expect(file).toBe(`./deploy/secrets/${name}`);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readFile(new URL('../../.gitignore', import.meta.url), 'utf8')).toContain('deploy/secrets/\n');
  });

  it('agree with each other', async () => {
    const url = new URL(await secret('database_url'));
    expect([url.username, url.pathname, url.hostname]).toEqual(['answer_evidence', '/answer_evidence', 'postgres']);
    // The service does not have the password of the superuser.
    expect(compose.services.postgres.environment.POSTGRES_USER).toBe('postgres');
    expect(url.password).not.toBe(await secret('postgres_password'));
    expect(new URL(await secret('redis_url')).password).toBe(await secret('redis_password'));
    expect(await secret('redis_conf')).toContain(`requirepass ${await secret('redis_password')}\n`);
    expect(Buffer.from(await secret('master_key'), 'base64')).toHaveLength(32);
  });

  it('are never written over', async () => {
    const before = await secret('master_key');
    expect(await writeSecrets(folder)).toBe(false);
    expect(await secret('master_key')).toBe(before);
    const other = join(folder, '..', 'other');
    await writeSecrets(other);
    expect(await readFile(join(other, 'master_key'), 'utf8')).not.toBe(`${before}\n`);
    await rm(join(other, 'master_key'), { force: true });
    await writeFile(join(other, 'kept'), '');
    expect(await writeSecrets(other)).toBe(false);
    expect(await readdir(other)).not.toContain('master_key');
  });
});
