import type { Client } from 'minio';
import { HeadError, type HeadFiles } from '@answer-evidence/ports';
import { saysMissing } from '../error-code.ts';
import { type BucketOptions, openClient } from '../objects/bucket-objects.ts';
import { describeRefusal } from '../objects/check-bucket.ts';

/** Heads in a bucket. */
interface BucketHeadFiles extends HeadFiles {
  close(): void;
}

/** Everything of ours in the bucket, as in the data folder. */
const PREFIX = 'heads/';
const SILENCE_MS = 5_000;
const PAGE_SIZE = 1_000;

/**
 * Heads in a bucket, which all processes of an installation share. S3 gives back what was written last to everyone, and
 * lists it at once. Every failure is a `HeadError` `place_unavailable` that says what is wrong. Rejects with
 * `BucketRefusedError` for options that cannot be used.
 */
export async function openBucketHeadFiles(options: BucketOptions): Promise<BucketHeadFiles> {
  const { client, connections } = await openClient({ ...options, silenceMs: options.silenceMs ?? SILENCE_MS });
  const { bucket, endpoint, pageSize = PAGE_SIZE } = options;

  async function ask<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (cause) {
      throw new HeadError(
        'place_unavailable',
        `the heads in the bucket ${bucket} at ${endpoint} cannot be read and written: ${describeRefusal(cause)}`,
        { cause },
      );
    }
  }

  /** What lies directly below a prefix: the names of objects and of folders, without it. */
  async function listBelow(prefix: string): Promise<{ readonly files: string[]; readonly folders: string[] }> {
    const files: string[] = [];
    const folders: string[] = [];
    for (let token = ''; ;) {
      const from = token;
      const page = await ask(() => client.listObjectsV2Query(bucket, prefix, from, '/', pageSize, ''));
      for (const object of page.objects) {
        if (object.prefix !== undefined) folders.push(object.prefix.slice(prefix.length, -1));
        else if (object.name !== undefined && object.name !== prefix) files.push(object.name.slice(prefix.length));
      }
      if (!page.isTruncated || page.nextContinuationToken === '') break;
      token = page.nextContinuationToken;
    }
    return { files: files.sort(), folders: folders.sort() };
  }

  return {
    place: `${endpoint.replace(/\/$/, '')}/${bucket}/heads`,
    list: async (folder) => (await listBelow(folder === '' ? PREFIX : `${PREFIX}${folder}/`)).files,
    folders: async () => (await listBelow(PREFIX)).folders,
    read: (name) => ask(() => readWhole(client, bucket, PREFIX + name)),
    write: (name, content) =>
      ask(async () => {
        await client.putObject(bucket, PREFIX + name, Buffer.from(content));
      }),
    delete: (name) => ask(() => client.removeObject(bucket, PREFIX + name)),
    close: () => connections.close(),
  };
}

async function readWhole(client: Client, bucket: string, key: string): Promise<Uint8Array | undefined> {
  try {
    const pieces: Uint8Array[] = [];
    for await (const piece of await client.getObject(bucket, key)) pieces.push(piece as Uint8Array);
    return new Uint8Array(Buffer.concat(pieces));
  } catch (error) {
    if (saysMissing(error)) return undefined;
    throw error;
  }
}
