import { join } from 'node:path';
import { addCompressed } from './image.ts';
import { type Descriptor, digestFile, type Layout, MEDIA_TYPE, openLayout, type Platform } from './layout.ts';
import { packFolder } from './pack-folder.ts';

/** Writes an archive with a base for each machine, of the files in a folder, as `skopeo copy --all` does; the file. */
export async function packBaseOf(
  folder: string,
  bases: readonly { readonly platform: Platform; readonly root: string; readonly env: readonly string[] }[],
): Promise<string> {
  const layout = await openLayout(join(folder, 'base-layout'));
  const manifests: Descriptor[] = [];
  for (const { platform, root, env } of bases)
    manifests.push({ ...(await addManifest(layout, platform, { root, env })), platform });
  const index = { schemaVersion: 2, mediaType: MEDIA_TYPE.index, manifests };
  const file = join(folder, 'base.tar');
  await layout.pack(file, await layout.add(MEDIA_TYPE.index, JSON.stringify(index)));
  return file;
}

async function addManifest(
  layout: Layout,
  platform: Platform,
  { root, env }: { readonly root: string; readonly env: readonly string[] },
): Promise<Descriptor> {
  const tar = `${root}.tar`;
  await packFolder(tar, root, [{ paths: ['.'], time: 0 }]);
  const config = {
    ...platform,
    config: { Env: env, Cmd: ['node'] },
    rootfs: { type: 'layers', diff_ids: [await digestFile(tar)] },
  };
  const manifest = {
    schemaVersion: 2,
    config: await layout.add('application/vnd.docker.container.image.v1+json', JSON.stringify(config)),
    layers: [await addCompressed(layout, 'application/vnd.docker.image.rootfs.diff.tar.gzip', tar)],
  };
  return layout.add('application/vnd.docker.distribution.manifest.v2+json', JSON.stringify(manifest));
}
