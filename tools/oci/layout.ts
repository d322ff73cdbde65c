import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { packFolder } from './pack-folder.ts';

/** The media types of what is written here: OCI image-spec 1.1, and what it calls other kinds. */
export const MEDIA_TYPE = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  statement: 'application/vnd.in-toto+json',
} as const;

/** The machine of an image. */
export type Platform = { readonly os: string; readonly architecture: string; readonly variant?: string };

/** Names a blob by its bytes: OCI image-spec, "Content Descriptors". */
export type Descriptor = {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: Platform;
  readonly annotations?: Readonly<Record<string, string>>;
};

/** An OCI layout that is being written. */
export type Layout = {
  add(mediaType: string, bytes: string | Uint8Array): Promise<Descriptor>;
  /** Takes a file as it is. */
  addFile(mediaType: string, file: string): Promise<Descriptor>;
  /** Where a blob is until the layout is packed. */
  fileOf(descriptor: Descriptor): string;
  /** Writes the archive, whose only entry is this. The folder is not needed afterwards. */
  pack(file: string, root: Descriptor): Promise<void>;
};

/** Begins a layout in an empty folder. */
export async function openLayout(folder: string): Promise<Layout> {
  const blobs = join(folder, 'blobs/sha256');
  await mkdir(blobs, { recursive: true });
  return {
    async add(mediaType, bytes) {
      const hex = createHash('sha256').update(bytes).digest('hex');
      await writeFile(join(blobs, hex), bytes);
      return { mediaType, digest: `sha256:${hex}`, size: Buffer.byteLength(bytes) };
    },
    async addFile(mediaType, file) {
      const digest = await digestFile(file);
      await copyFile(file, join(blobs, digest.slice('sha256:'.length)));
      return { mediaType, digest, size: (await stat(file)).size };
    },
    fileOf: ({ digest }) => join(blobs, digest.slice('sha256:'.length)),
    async pack(file, root) {
      await writeFile(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
      const index = { schemaVersion: 2, mediaType: MEDIA_TYPE.index, manifests: [root] };
      await writeFile(join(folder, 'index.json'), JSON.stringify(index));
      await packFolder(`${file}.part`, folder, [{ paths: ['oci-layout', 'index.json', 'blobs'], time: 0 }]);
      await rename(`${file}.part`, file);
      await rm(folder, { recursive: true });
    },
  };
}

/** The digest of a file, as `sha256:…`. */
export async function digestFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return `sha256:${hash.digest('hex')}`;
}

/** The blob that a descriptor names, of a layout in a folder. Throws where its bytes are not those. */
export async function findBlob(layout: string, { digest, size }: Descriptor): Promise<string> {
  const [, hex] = /^sha256:([0-9a-f]{64})$/.exec(digest) ?? [];
  if (hex === undefined) throw new Error(`the digest ${JSON.stringify(digest)} is not one of SHA-256`);
  const file = join(layout, 'blobs/sha256', hex);
  const there = await stat(file).catch(() => undefined);
  if (there?.size !== size || (await digestFile(file)) !== digest)
    throw new Error(`the archive has not the bytes of ${digest}: copy it again`);
  return file;
}

/** A blob that is JSON. */
export async function readJsonBlob<T>(layout: string, descriptor: Descriptor): Promise<T> {
  return JSON.parse(await readFile(await findBlob(layout, descriptor), 'utf8')) as T;
}
