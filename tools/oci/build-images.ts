import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { layOutImage, type NativePackages } from '../image/lay-out-image.ts';
import { readBaseImages } from './base-image.ts';
import { addImage, readRepository, type Sources } from './image.ts';
import { parseImageConfig } from './image-config.ts';
import { type Descriptor, digestFile, MEDIA_TYPE, openLayout } from './layout.ts';

/** What images are made from. */
export type ImageBuild = {
  readonly out: string;
  /** The archive with the base of each machine, an OCI layout. */
  readonly base: string;
  readonly platforms: readonly string[];
  readonly revision: string;
  /** The only time in the images, in seconds. */
  readonly time: number;
  readonly bundleOf: Parameters<typeof layOutImage>[1];
  packagesOf(architecture: string): Promise<NativePackages>;
};

/** Makes one archive with an image for each machine, by means of an empty folder; the file. */
export async function buildImages(folder: string, build: ImageBuild): Promise<string> {
  const { version } = JSON.parse(await readRepository('package.json')) as { readonly version: string };
  const config = parseImageConfig(await readRepository('Dockerfile'), { REVISION: build.revision });
  const lock = await digestFile(fileURLToPath(new URL('../../package-lock.json', import.meta.url)));
  const sources: Sources = { config, revision: build.revision, time: build.time, lock };

  const given = join(folder, 'base');
  await mkdir(given);
  await promisify(execFile)('tar', ['--extract', `--file=${build.base}`, `--directory=${given}`]);
  const layout = await openLayout(join(folder, 'image'));
  const manifests: Descriptor[] = [];
  for (const base of await readBaseImages(given, build.platforms)) {
    const { architecture } = base.platform;
    const root = join(folder, architecture);
    await layOutImage(root, build.bundleOf, await build.packagesOf(architecture));
    manifests.push(...(await addImage(layout, { base, root, sources })));
  }
  // Images before statements: what knows no statements takes the first that fits.
  const ordered = manifests.toSorted((one, other) => Number(isStatement(one)) - Number(isStatement(other)));
  const index = await layout.add(
    MEDIA_TYPE.index,
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MEDIA_TYPE.index,
      manifests: ordered,
      annotations: config.Labels,
    }),
  );
  const file = join(build.out, `answer-evidence-image-${version}.oci.tar`);
  await layout.pack(file, { ...index, annotations: { 'org.opencontainers.image.ref.name': version } });
  return file;
}

function isStatement({ platform }: Descriptor): boolean {
  return platform?.os === 'unknown';
}
