import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { layOutImage } from '../image/lay-out-image.ts';
import { layOutStandInBase } from '../image/stand-in-base.ts';
import { NODE_ARCHITECTURES } from '../oci/native-packages.ts';
import { packBaseOf } from '../oci/pack-base.ts';
import { run } from './run.ts';

/** As in the image of Node. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** What images are made on. */
export type Base = {
  readonly file: string;
  readonly platforms: readonly string[];
  /** Why this is only a stand-in, made of this machine; undefined for a base that a release may have. */
  readonly standIn?: string;
};

/**
 * The base that was named, or that of the Dockerfile from its registry. Where that is out of reach, a stand-in of this
 * machine's own files, on which an image can be tried and not be released.
 */
export async function findBase(root: string, folder: string, given: string | undefined): Promise<Base> {
  const platforms = Object.keys(NODE_ARCHITECTURES).map((name) => `linux/${name}`);
  if (given !== undefined) return { file: given, platforms };
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8');
  const image = /^ARG BASE_IMAGE=(\S+)$/m.exec(dockerfile)?.[1];
  if (image === undefined) throw new Error('the Dockerfile names no BASE_IMAGE');
  const file = join(folder, 'registry-base.tar');
  const pull = ['copy', '--all', '--quiet', `docker://docker.io/library/${image}`, `oci-archive:${file}`];
  try {
    await run('timeout', ['300', 'skopeo', ...pull]);
    return { file, platforms };
  } catch {
    const [architecture = ''] = Object.entries(NODE_ARCHITECTURES).find(([, node]) => node === process.arch) ?? [];
    const built = join(folder, 'built');
    await layOutImage(built, (app) => dirname(join(root, 'apps', app, 'dist/main.js')));
    const base = join(folder, 'stand-in');
    await layOutStandInBase(base, built);
    return {
      file: await packBaseOf(folder, [{ platform: { os: 'linux', architecture }, root: base, env: [`PATH=${PATH}`] }]),
      platforms: [`linux/${architecture}`],
      standIn: `skopeo cannot get ${image}; name a base by --base`,
    };
  }
}
