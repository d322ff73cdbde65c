import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { type BaseImage, formatPlatform } from './base-image.ts';
import type { ImageConfig } from './image-config.ts';
import { type Descriptor, digestFile, type Layout, MEDIA_TYPE } from './layout.ts';
import { DPKG_STATUS, listMaterials } from './materials.ts';
import { packFolder } from './pack-folder.ts';
import { formatStatements } from './statements.ts';

const USER = 10_001;
const NAME = 'answer-evidence';
const DATA = 'var/lib/answer-evidence';

/** What every machine's image is made from. */
export type Sources = {
  readonly config: ImageConfig;
  readonly revision: string;
  /** The only time in the image, in seconds. */
  readonly time: number;
  /** SHA-256 of the lock file. */
  readonly lock: string;
};

/**
 * Adds the image for one machine to a layout: the base, and one layer of the files in `root`, which gets more of them.
 * Returns the image, and the statements about it, as an index lists them.
 */
export async function addImage(
  layout: Layout,
  { base, root, sources }: { readonly base: BaseImage; readonly root: string; readonly sources: Sources },
): Promise<readonly Descriptor[]> {
  await addUser(root, base);
  const { layer, diffId } = await packLayer(layout, root, sources.time);
  const { config, platform, layers, digest } = base;
  const created = new Date(sources.time * 1_000).toISOString();
  const kept = layers.map(({ descriptor }) => descriptor);
  for (const { descriptor, file } of layers) await layout.addFile(descriptor.mediaType, file);
  const made = {
    ...platform,
    created,
    config: { ...sources.config, Env: mergeEnvironments(config.config?.Env ?? [], sources.config.Env) },
    rootfs: { type: 'layers', diff_ids: [...config.rootfs.diff_ids, diffId] },
    history: [...(config.history ?? []), { created, created_by: 'npm run image', comment: NAME }],
  };
  const manifest = await layout.add(
    MEDIA_TYPE.manifest,
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MEDIA_TYPE.manifest,
      config: await layout.add(MEDIA_TYPE.config, JSON.stringify(made)),
      layers: [...kept, layer],
      annotations: { ...sources.config.Labels, 'org.opencontainers.image.base.digest': digest },
    }),
  );
  const statements = formatStatements({
    name: NAME,
    digest: manifest.digest,
    platform: formatPlatform(platform),
    revision: sources.revision,
    base: digest,
    lock: sources.lock,
    materials: listMaterials(await base.readFile(DPKG_STATUS)),
  });
  return [{ ...manifest, platform }, await addStatements(layout, manifest, statements)];
}

/** As BuildKit does, so that whatever copies the index copies them; and as OCI 1.1 refers to its subject. */
async function addStatements(
  layout: Layout,
  subject: Descriptor,
  statements: ReturnType<typeof formatStatements>,
): Promise<Descriptor> {
  const layers: Descriptor[] = [];
  for (const { predicateType, text } of statements)
    layers.push({
      ...(await layout.add(MEDIA_TYPE.statement, text)),
      annotations: { 'in-toto.io/predicate-type': predicateType },
    });
  const unknown = { os: 'unknown', architecture: 'unknown' };
  const rootfs = { type: 'layers', diff_ids: layers.map(({ digest }) => digest) };
  const manifest = await layout.add(
    MEDIA_TYPE.manifest,
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MEDIA_TYPE.manifest,
      artifactType: 'application/vnd.docker.attestation.manifest.v1+json',
      config: await layout.add(MEDIA_TYPE.config, JSON.stringify({ ...unknown, config: {}, rootfs })),
      layers,
      subject,
    }),
  );
  const annotations = {
    'vnd.docker.reference.type': 'attestation-manifest',
    'vnd.docker.reference.digest': subject.digest,
  };
  return { ...manifest, platform: unknown, annotations };
}

/** What the Dockerfile does by a command: initdb of the embedded PostgreSQL wants its user to have a name. */
async function addUser(root: string, base: BaseImage): Promise<void> {
  const lines = {
    'etc/passwd': `${NAME}:x:${USER}:${USER}::/${DATA}:/usr/sbin/nologin\n`,
    'etc/group': `${NAME}:x:${USER}:\n`,
  };
  await mkdir(join(root, 'etc'));
  for (const [path, line] of Object.entries(lines)) {
    await writeFile(join(root, path), (await base.readFile(path)) ?? '');
    await appendFile(join(root, path), line);
    await chmod(join(root, path), 0o644);
  }
  await mkdir(join(root, DATA), { recursive: true });
}

async function packLayer(layout: Layout, root: string, time: number) {
  const file = `${root}.tar`;
  await packFolder(file, root, [
    { paths: ['etc', 'opt', 'usr'], time },
    { paths: [DATA], time, owner: USER, mode: 'u=rwx,go=' },
  ]);
  const diffId = await digestFile(file);
  const layer = await addCompressed(layout, MEDIA_TYPE.layer, file);
  await rm(file);
  return { layer, diffId };
}

/** Adds a file to a layout, compressed: the same bytes each time, by the Node that comes with the packages. */
export async function addCompressed(layout: Layout, mediaType: string, file: string): Promise<Descriptor> {
  const gzip = createGzip({ level: constants.Z_BEST_COMPRESSION });
  await pipeline(createReadStream(file), gzip, createWriteStream(`${file}.gz`));
  const descriptor = await layout.addFile(mediaType, `${file}.gz`);
  await rm(`${file}.gz`);
  return descriptor;
}

function mergeEnvironments(base: readonly string[], own: readonly string[]): readonly string[] {
  const nameOf = (pair: string) => pair.slice(0, pair.indexOf('='));
  const names = new Set(own.map(nameOf));
  return [...base.filter((pair) => !names.has(nameOf(pair))), ...own];
}

/** Reads a text file of the repository. */
export function readRepository(path: string): Promise<string> {
  return readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
}
