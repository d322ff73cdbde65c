import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseConfig } from '../ground/config.ts';
import { assertPlacesLast, findFleetingPlaces, type Surroundings } from './fleeting-places.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-fleeting-'));
});
afterAll(() => rm(folder, { recursive: true }));

const DATABASE = { DATABASE_URL: 'postgres://db.example/evidence' };
const KEY = { SERVICE_MASTER_KEY: Buffer.alloc(32).toString('base64') };
const BUCKET = { S3_ENDPOINT: 'https://s3.example', S3_BUCKET: 'evidence', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 'b' };
const SAID = { SERVICE_DATA_DIR_LASTS: 'on' };
const configOf = (environment: Readonly<Record<string, string>>) =>
  parseConfig({ SERVICE_DATA_DIR: folder, ...environment });

/** A data folder, and every other one, on these mounts. */
const on = (isContainer: boolean, data: string | undefined, fileSystem = 'ext4'): Surroundings => ({
  mountOf: (asked) =>
    Promise.resolve(
      data === undefined
        ? undefined
        : asked.startsWith(folder)
          ? { point: data, root: '/', fileSystem }
          : { point: '/', root: '/', fileSystem },
    ),
  isContainer: () => Promise.resolve(isContainer),
});
const VOLUME = on(true, '/var/lib/answer-evidence');
const LAYER = on(true, '/', 'overlay');
const DISK = on(false, '/');
const MEMORY = on(false, '/run', 'tmpfs');
const UNKNOWN = on(false, undefined);

describe('a key for a database elsewhere', () => {
  it.each([
    ['in the layer of a container', LAYER, DATABASE, true],
    ['in memory', MEMORY, DATABASE, true],
    ['on the disk of a machine', DISK, DATABASE, true],
    ['where mounts are not known', UNKNOWN, DATABASE, true],
    ['on a volume', VOLUME, DATABASE, false],
    ['where the operator says that it lasts', LAYER, { ...DATABASE, ...SAID }, false],
    ['beside its own database', LAYER, {}, false],
    ['that is given, with everything in a bucket', LAYER, { ...DATABASE, ...KEY, ...BUCKET }, false],
  ])('%s is refused or not', async (_, surroundings, environment, isRefused) => {
    const asserted = assertPlacesLast(configOf(environment), surroundings);
    if (isRefused) await expect(asserted).rejects.toThrow(/openssl rand -base64 32.*SERVICE_DATA_DIR_LASTS=on/);
    else await expect(asserted).resolves.toBeUndefined();
  });

  it('that is there already is used', async () => {
    await writeFile(join(folder, 'master.key'), 'key');
    try {
      await expect(assertPlacesLast(configOf(DATABASE), DISK)).resolves.toBeUndefined();
      await expect(assertPlacesLast(configOf(DATABASE), LAYER)).rejects.toThrow(/and the master key with it/);
    } finally {
      await rm(join(folder, 'master.key'));
    }
  });
});

it.each([
  ['everything with an embedded database in a container', LAYER, {}, ['data']],
  ['key, heads and evidence in a container', LAYER, DATABASE, ['key', 'heads', 'evidence']],
  ['heads and evidence in memory, with a key', MEMORY, { ...DATABASE, ...KEY }, ['heads', 'evidence']],
  [
    'heads in a folder of a container, beside a bucket',
    LAYER,
    { ...DATABASE, ...KEY, ...BUCKET, SERVICE_HEADS: 'folder:/h' },
    ['heads'],
  ],
  ['nothing in a bucket', LAYER, { ...DATABASE, ...KEY, ...BUCKET }, []],
  ['nothing on a volume', VOLUME, DATABASE, []],
  ['nothing on the disk of a machine', DISK, DATABASE, []],
  ['nothing where mounts are not known', UNKNOWN, DATABASE, []],
  ['nothing where the operator says so', LAYER, { ...DATABASE, ...SAID }, []],
])('%s does not last', async (_, surroundings, environment: Record<string, string>, names) => {
  const places = await findFleetingPlaces(configOf(environment), surroundings);
  expect(places.map(({ name }) => name)).toEqual(names);
  for (const { text } of places)
    expect(text).toMatch(
      /^\/.* is lost with (?:this container|the memory of this machine), and .+ with it: mount a volume at /,
    );
});

it('the volume that would keep heads is where they are', async () => {
  const inData = await findFleetingPlaces(
    configOf({ ...DATABASE, ...KEY, ...BUCKET, SERVICE_HEADS: `folder:${folder}/h` }),
    LAYER,
  );
  expect(inData[0]?.text).toContain(`mount a volume at ${folder},`);
  const elsewhere = await findFleetingPlaces(
    configOf({ ...DATABASE, ...KEY, ...BUCKET, SERVICE_HEADS: 'folder:/h' }),
    LAYER,
  );
  expect(elsewhere[0]?.text).toContain('mount a volume at /h,');
});

it('of a new installation, heads and evidence are refused like the key', async () => {
  await expect(assertPlacesLast(configOf({ ...DATABASE, ...KEY }), LAYER)).rejects.toThrow(
    /and the heads of the logs with it/,
  );
  const heads = { ...DATABASE, ...KEY, SERVICE_HEADS: 's3', ...BUCKET };
  await expect(assertPlacesLast(configOf(heads), LAYER)).resolves.toBeUndefined();
});

it.each([
  ['in the layer of a container', LAYER, {}, true],
  ['in memory', MEMORY, KEY, true],
  ['on a volume', VOLUME, {}, false],
  ['on the disk of a machine', DISK, {}, false],
  ['where the operator says that it lasts', LAYER, SAID, false],
])(
  'the own database of a new installation with a bucket, %s, is refused or not',
  async (_, place, given, isRefused) => {
    const asserted = assertPlacesLast(configOf({ ...BUCKET, ...given }), place);
    if (isRefused) await expect(asserted).rejects.toThrow(/and the database and its key with it: mount a volume at /);
    else await expect(asserted).resolves.toBeUndefined();
  },
);
