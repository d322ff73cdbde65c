import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { layOutImage } from '../../tools/image/lay-out-image.ts';
import { layOutStandInBase } from '../../tools/image/stand-in-base.ts';
import { bundle, REPOSITORY } from '../../tools/scenery/service-process.ts';

/** What an image says of itself, as `docker inspect` would print it. */
type ImageConfig = {
  readonly Env: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
  readonly User: string;
  readonly WorkingDir: string;
  readonly Entrypoint: readonly string[];
  readonly ExposedPorts: Readonly<Record<string, object>>;
  /** Only in the format of Docker. */
  readonly Healthcheck?: { readonly Test: readonly string[] };
};

/** An image of the Dockerfile, in a store of its own. */
export type BuiltImage = {
  readonly config: ImageConfig;
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
    const inspected = JSON.parse(buildah('inspect', '--type', 'image', id)) as Record<string, { config: ImageConfig }>;
    const { config } = inspected[format === 'oci' ? 'OCIv1' : 'Docker'] as { config: ImageConfig };
    return { id, config, unpack: () => buildah('mount', buildah('from', '--pull-never', id)) };
  };
}
