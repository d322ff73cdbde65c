import { existsSync } from 'node:fs';
import { findMount, type Mount } from '@answer-evidence/filesystem';
import type { Config } from '../ground/config.ts';
import { objectsFolderOf } from '../ground/data-folders.ts';
import { StartError } from '../ground/start-error.ts';
import { masterKeyFile } from './master-key-files.ts';
import { headsFolderOf } from './open-heads.ts';
import { bucketOf } from './open-object-store.ts';

/** Something that an installation cannot do without, where it is not kept. */
type FleetingPlace = {
  readonly name: 'data' | 'key' | 'heads' | 'evidence';
  /** Where it is, what happens to it there, and what to do, as one sentence. */
  readonly text: string;
};

/** Says where the folder of a process is. */
export type Surroundings = {
  readonly mountOf: (folder: string) => Promise<Mount | undefined>;
  readonly isContainer: () => Promise<boolean>;
};

const LASTS = 'or set SERVICE_DATA_DIR_LASTS=on if that folder outlives it';
const MEMORY: ReadonlySet<string> = new Set(['tmpfs', 'ramfs']);
const LAYERS: ReadonlySet<string> = new Set(['overlay', 'aufs', 'fuse-overlayfs']);
/** What Docker and Podman leave in a container. A machine that was made of an image may have them as well. */
const MARKS = ['/.dockerenv', '/run/.containerenv'];
/** What Kubernetes, ECS, Cloud Run and Fly set in a container. */
const MARKED_BY = ['KUBERNETES_SERVICE_HOST', 'ECS_CONTAINER_METADATA_URI_V4', 'K_SERVICE', 'FLY_APP_NAME'];

const SURROUNDINGS: Surroundings = {
  mountOf: (folder) => findMount(folder),
  async isContainer() {
    const root = await findMount('/');
    return (
      LAYERS.has(root?.fileSystem ?? '') ||
      // A root that is a folder of a larger file system, as with the driver `vfs`.
      (root?.root !== '/' && MARKS.some((mark) => existsSync(mark))) ||
      MARKED_BY.some((name) => process.env[name] !== undefined)
    );
  },
};

/** What of an installation is lost with its container, or with the memory of the machine. */
export async function findFleetingPlaces(
  config: Config,
  surroundings = SURROUNDINGS,
): Promise<readonly FleetingPlace[]> {
  if (config.SERVICE_DATA_DIR_LASTS === 'on') return [];
  const found = await Promise.all(
    placesOf(config).map(async ({ name, what, folder, remedy }) => {
      const end = await findEnd(folder, surroundings);
      return end === undefined
        ? []
        : [{ name, text: `${folder} is lost with ${end}, and ${what} with it: ${remedy}, ${LASTS}` }];
    }),
  );
  return found.flat();
}

/**
 * Throws `StartError` where a new installation would put something into a place that is lost before a database or a
 * bucket elsewhere, which cannot be read without it. A master key is only made on a mount of its own.
 */
export async function assertPlacesLast(config: Config, surroundings = SURROUNDINGS): Promise<void> {
  const hasDatabase = config.DATABASE_URL !== undefined;
  if (config.SERVICE_DATA_DIR_LASTS === 'on' || !(hasDatabase || bucketOf(config) !== undefined)) return;
  const file = masterKeyFile(config);
  if (hasDatabase && config.SERVICE_MASTER_KEY === undefined && !existsSync(file)) {
    const mount = await surroundings.mountOf(config.SERVICE_DATA_DIR);
    if (mount === undefined || mount.point === '/' || MEMORY.has(mount.fileSystem))
      throw new StartError(
        `DATABASE_URL is set and SERVICE_MASTER_KEY is not: a key made in ${file} could be lost while the database is ` +
          'kept, and with it every text; make one with: openssl rand -base64 32, keep it safe and set ' +
          `SERVICE_MASTER_KEY to it, ${LASTS}`,
      );
  }
  const [place] = await findFleetingPlaces(config, surroundings);
  if (place !== undefined) throw new StartError(place.text);
}

type Place = Pick<FleetingPlace, 'name'> & {
  readonly what: string;
  readonly folder: string;
  readonly remedy: string;
};

/** With an embedded database, everything in the data folder is lost together. */
function placesOf(config: Config): readonly Place[] {
  const data = config.SERVICE_DATA_DIR;
  const mountFor = (folder: string) => `mount a volume at ${folder.startsWith(`${data}/`) ? data : folder}`;
  const mount = mountFor(data);
  if (config.DATABASE_URL === undefined)
    return [{ name: 'data', what: 'the database and its key', folder: data, remedy: mount }];
  const heads = headsFolderOf(config);
  const evidence = objectsFolderOf(config);
  return [
    ...(config.SERVICE_MASTER_KEY === undefined
      ? [{ name: 'key' as const, what: 'the master key', folder: data, remedy: `${mount}, or set SERVICE_MASTER_KEY` }]
      : []),
    ...(heads === undefined
      ? []
      : [
          {
            name: 'heads' as const,
            what: 'the heads of the logs',
            folder: heads,
            remedy: `${mountFor(heads)}, set S3_ENDPOINT, or SERVICE_HEADS to a folder that is kept`,
          },
        ]),
    ...(bucketOf(config) === undefined
      ? [{ name: 'evidence' as const, what: 'evidence', folder: evidence, remedy: `${mount}, or set S3_ENDPOINT` }]
      : []),
  ];
}

/** What a folder is lost with, if anything. */
async function findEnd(folder: string, { mountOf, isContainer }: Surroundings): Promise<string | undefined> {
  const mount = await mountOf(folder);
  if (MEMORY.has(mount?.fileSystem ?? '')) return 'the memory of this machine';
  return mount?.point === '/' && (await isContainer()) ? 'this container' : undefined;
}
