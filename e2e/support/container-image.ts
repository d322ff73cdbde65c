import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { layOutImage } from '../../tools/image/lay-out-image.ts';
import { layOutStandInBase } from '../../tools/image/stand-in-base.ts';
import type { ImageConfig } from '../../tools/oci/image-config.ts';
import { bundle, REPOSITORY } from '../../tools/scenery/service-process.ts';

/** An image of the Dockerfile, in a store of its own. */
export type BuiltImage = {
  /** What it says of itself, as `docker inspect` would print it. Only in the format of Docker it has a health check. */
  readonly config: Omit<ImageConfig, 'Healthcheck'> & Partial<ImageConfig>;
  /** Says the same of two images if they are the same, byte for byte. */
  readonly id: string;
  /** Lays its file system out, as an engine would before it starts a container; the folder. */
  unpack(): string;
};

/**
 * Builds the image once more. In the format of Docker it has its health check, and also the name of the container in
 * which it was built, which is another each time.
 */
export type ImageBuilder = (format: 'oci' | 'docker', buildArguments?: Readonly<Record<string, string>>) => BuiltImage;

const BASE = 'localhost/base:1';
const BUILT = 'localhost/built:1';

/**
 * Prepares to build the Dockerfile with buildah, which needs no daemon, in an empty folder. There is no registry: an
 * image of nothing but Node, a shell, `install` and the C library stands for Node's, and what this run has built for
 * the stage that builds. The last stage is built as the Dockerfile has it.
 */
export async function prepareImageBuilds(folder: string): Promise<ImageBuilder> {
  const [base, built, nothing] = ['base', 'built', 'nothing'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  const buildah = (...args: readonly string[]): string =>
    execFileSync('buildah', [...store, ...args], {
      encoding: 'utf8',
      env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();

  await layOutImage(built, (app) => dirname(bundle(app)));
  await layOutStandInBase(base, built);
  await mkdir(nothing);
  for (const [name, [context, to]] of Object.entries({ [BASE]: [base, '/'], [BUILT]: [built, '/out/'] })) {
    await writeFile(join(folder, 'Containerfile'), `FROM scratch\nCOPY . ${to}\n`);
    buildah(
      'build',
      '--quiet',
      '--timestamp',
      '0',
      '--file',
      join(folder, 'Containerfile'),
      '--tag',
      name,
      context ?? '',
    );
  }

  return (format, buildArguments = {}) => {
    const given = { NODE_IMAGE: BASE, BASE_IMAGE: BASE, ...buildArguments };
    const words = Object.entries(given).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
    const stage = ['--build-context', `build=container-image://${BUILT}`];
    const how = ['--quiet', '--pull=never', '--format', format, '--timestamp', '0', '--no-cache'];
    const id = buildah('build', ...how, ...words, ...stage, '--file', join(REPOSITORY, 'Dockerfile'), nothing);
    const inspected = JSON.parse(buildah('inspect', '--type', 'image', id)) as Record<
      string,
      Pick<BuiltImage, 'config'>
    >;
    const { config } = inspected[format === 'oci' ? 'OCIv1' : 'Docker'] as Pick<BuiltImage, 'config'>;
    return { id, config, unpack: () => buildah('mount', buildah('from', '--pull-never', id)) };
  };
}

/** What the Dockerfile says in a configuration: without what a builder adds, and without what is left empty. */
export function withoutBuilder(config: BuiltImage['config']): Readonly<Record<string, unknown>> {
  const all: Readonly<Record<string, object | string | boolean>> = config;
  const said = Object.entries(all).filter(([, value]) => value !== false && Object.keys(value).length > 0);
  const { Hostname: _builtIn, ...rest } = Object.fromEntries(said);
  return {
    ...rest,
    Env: config.Env.filter((line) => !line.startsWith('PATH=')),
    Labels: Object.fromEntries(Object.entries(config.Labels).filter(([name]) => !name.startsWith('io.buildah.'))),
  };
}
