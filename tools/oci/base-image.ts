import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Descriptor, findBlob, MEDIA_TYPE, type Platform, readJsonBlob } from './layout.ts';

const run = promisify(execFile);
const FILE_MAX_BYTES = 64 * 1024 * 1024;

/** The configuration of an image, as far as it is read here. */
type BaseConfig = {
  readonly config?: { readonly Env?: readonly string[] };
  readonly rootfs: { readonly type: string; readonly diff_ids: readonly string[] };
  readonly history?: readonly Readonly<Record<string, unknown>>[];
};

/** The image for one machine that others are made on. */
export type BaseImage = {
  /** Of its manifest. */
  readonly digest: string;
  readonly platform: Platform;
  readonly config: BaseConfig;
  readonly layers: readonly { readonly descriptor: Descriptor; readonly file: string }[];
  /** The text of a file in it; undefined where it has none. */
  readFile(path: string): Promise<string | undefined>;
};

type Manifest = { readonly config: Descriptor; readonly layers: readonly Descriptor[] };
type Index = { readonly manifests: readonly Descriptor[] };

/** Finds the image for each machine in a folder that is an OCI layout. Throws where one is missing or damaged. */
export async function readBaseImages(layout: string, wanted: readonly string[]): Promise<readonly BaseImage[]> {
  const index = JSON.parse(await readFile(join(layout, 'index.json'), 'utf8')) as Index;
  const images = new Map((await findImages(layout, index)).map((image) => [formatPlatform(image.platform), image]));
  return wanted.map((platform) => {
    const image = images.get(platform);
    if (image === undefined)
      throw new Error(`the base has no image for ${platform}, only for ${[...images.keys()].join(', ') || 'none'}`);
    return image;
  });
}

/** `linux/arm64`. */
export function formatPlatform({ os, architecture }: Platform): string {
  return `${os}/${architecture}`;
}

async function findImages(layout: string, { manifests }: Index): Promise<readonly BaseImage[]> {
  const found = await Promise.all(
    manifests.map(async (descriptor) => {
      const { digest, mediaType } = descriptor;
      if (/index|manifest\.list/.test(mediaType)) return findImages(layout, await readJsonBlob(layout, descriptor));
      const manifest = await readJsonBlob<Manifest>(layout, descriptor);
      const config = await readJsonBlob<BaseConfig & Platform>(layout, manifest.config);
      // Such as the statements that BuildKit puts beside images.
      if (config.os === undefined || config.os === 'unknown' || config.architecture === 'unknown') return [];
      const { os, architecture, variant } = config;
      const platform = { os, architecture, ...(variant === undefined ? {} : { variant }) };
      const layers = await Promise.all(
        manifest.layers.map(async (layer) => ({
          descriptor: { ...layer, mediaType: ociTypeOf(layer.mediaType) },
          file: await findBlob(layout, layer),
        })),
      );
      return [{ digest, platform, config, layers, readFile: (path: string) => readFrom(layers, path) }];
    }),
  );
  return found.flat();
}

/** Docker's media type of a layer says the same as OCI's. */
function ociTypeOf(mediaType: string): string {
  if (/\.tar[.+]gzip$/.test(mediaType)) return MEDIA_TYPE.layer;
  if (/^application\/vnd\.oci\.image\.layer\.v1\.tar(?:\+zstd)?$/.test(mediaType)) return mediaType;
  throw new Error(`the layers of the base must be tar, plain or by gzip or zstd, and not ${mediaType}`);
}

async function readFrom(layers: BaseImage['layers'], path: string): Promise<string | undefined> {
  for (const { file } of layers.toReversed())
    for (const name of [path, `./${path}`])
      try {
        const args = ['--extract', '--to-stdout', `--file=${file}`, name];
        return (await run('tar', args, { maxBuffer: FILE_MAX_BYTES })).stdout;
      } catch (error) {
        if (!/Not found in archive/.test(String((error as { stderr?: string }).stderr))) throw error;
      }
  return undefined;
}
