import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addCompressed } from './image.ts';
import { type Descriptor, digestFile, type Layout, MEDIA_TYPE, openLayout, type Platform } from './layout.ts';
import { packFolder } from './pack-folder.ts';

/** Writes files into a folder, and the folders above them. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Writes an archive with a base for each machine, of the files given, as `skopeo copy --all` does; the file. */
export async function packBase(
  folder: string,
  platforms: readonly Platform[],
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const layout = await openLayout(join(folder, 'base-layout'));
  const manifests: Descriptor[] = [];
  for (const platform of platforms) {
    const root = join(folder, `base-${platform.architecture}`);
    await writeFiles(root, files);
    manifests.push({ ...(await addManifest(layout, platform, root)), platform });
  }
  const index = { schemaVersion: 2, mediaType: MEDIA_TYPE.index, manifests };
  const file = join(folder, 'base.tar');
  await layout.pack(file, await layout.add(MEDIA_TYPE.index, JSON.stringify(index)));
  return file;
}

async function addManifest(layout: Layout, platform: Platform, root: string): Promise<Descriptor> {
  const tar = `${root}.tar`;
  await packFolder(tar, root, [{ paths: ['.'], time: 0 }]);
  const config = {
    ...platform,
    config: { Env: ['PATH=/usr/bin', 'NODE_ENV=base'], Cmd: ['node'] },
    rootfs: { type: 'layers', diff_ids: [await digestFile(tar)] },
  };
  const manifest = {
    schemaVersion: 2,
    config: await layout.add('application/vnd.docker.container.image.v1+json', JSON.stringify(config)),
    layers: [await addCompressed(layout, 'application/vnd.docker.image.rootfs.diff.tar.gzip', tar)],
  };
  return layout.add('application/vnd.docker.distribution.manifest.v2+json', JSON.stringify(manifest));
}
