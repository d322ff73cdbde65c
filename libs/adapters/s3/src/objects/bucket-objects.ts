import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Client } from 'minio';
import {
  type ByteRange,
  ObjectMissingError,
  type ObjectName,
  type ObjectStore,
  parseObjectName,
  type StoredObject,
} from '@answer-evidence/ports';
import { createClient, type Grant, isOrigin } from '../create-client.ts';
import { codeOf, saysMissing } from '../error-code.ts';
import type { UrlStyle } from '../surroundings/bucket-checks.ts';
import { askStore, unavailable } from './ask-store.ts';
import { BucketRefusedError } from './bucket-refused-error.ts';
import { type BucketState, checkBucket } from './check-bucket.ts';
import { keepConnections, type KeptConnections } from './kept-connections.ts';
import { upload } from './upload.ts';

/** A bucket and the way to it. */
export type BucketOptions = {
  /** Scheme, host and port of the server. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Gives what each request is allowed by anew, where it may change; the keys above are then of no use. */
  readonly grant?: () => Promise<Grant>;
  readonly region: string;
  /** Default: `path`. The host names of Amazon's own servers always begin with the bucket. */
  readonly style?: UrlStyle;
  /** A connection without a byte for so long is given up; default 30 s. */
  readonly silenceMs?: number;
  /** What is larger goes in parts of this size, and is held in memory by the part; at least, and by default, 5 MiB. */
  readonly partBytes?: number;
  /** Objects of one page of a list; default 1,000. */
  readonly pageSize?: number;
};

/** Objects in a bucket. */
export interface BucketObjects extends ObjectStore {
  /** Tries the bucket out. Throws `BucketRefusedError` for what stays wrong until somebody fixes it. */
  check(): Promise<BucketState>;
  close(): void;
}

/** Everything of ours in the bucket, as in the data folder. */
const PREFIX = 'objects/';
const SILENCE_MS = 30_000;
/** The least that S3 takes. */
const PART_BYTES = 5 * 1024 * 1024;
const PAGE_SIZE = 1_000;

/**
 * A client of the operator's server. Opens no connection by itself. Rejects with `BucketRefusedError` for options that
 * cannot be used.
 */
export async function openClient(
  options: BucketOptions,
): Promise<{ readonly client: Client; readonly connections: KeptConnections }> {
  const url = new URL(options.endpoint);
  if (!isOrigin(url)) throw new BucketRefusedError('S3_ENDPOINT must have only a scheme, a host and a port');
  const connections = keepConnections(url.protocol === 'https:', options.silenceMs ?? SILENCE_MS);
  const { region, accessKey, secretKey, grant, style = 'path' } = options;
  try {
    return {
      client: await createClient(url, { region, accessKey, secretKey, grant, style }, connections.client),
      connections,
    };
  } catch (cause) {
    throw new BucketRefusedError('S3_ENDPOINT, S3_REGION or the keys are not valid for an S3 server', { cause });
  }
}

/** Objects of a bucket that is the operator's, through a client as `openClient` makes it. */
export async function openBucketObjects(options: BucketOptions): Promise<BucketObjects> {
  const { client, connections } = await openClient(options);
  return new Bucket(client, connections, options);
}

class Bucket implements BucketObjects {
  readonly #client: Client;
  readonly #connections: KeptConnections;
  readonly #bucket: string;
  readonly #options: BucketOptions;
  readonly #partBytes: number;
  readonly #pageSize: number;

  constructor(client: Client, connections: KeptConnections, options: BucketOptions) {
    this.#client = client;
    this.#connections = connections;
    this.#bucket = options.bucket;
    this.#options = options;
    this.#partBytes = options.partBytes ?? PART_BYTES;
    this.#pageSize = options.pageSize ?? PAGE_SIZE;
  }

  put(name: ObjectName, content: AsyncIterable<Uint8Array>): Promise<number> {
    return upload({ client: this.#client, bucket: this.#bucket, key: keyOf(name) }, content, this.#partBytes);
  }

  async *read(name: ObjectName, range?: ByteRange): AsyncGenerator<Uint8Array> {
    if (range?.length === 0) {
      // No range of HTTP is empty.
      if ((await this.find(name)) === undefined) throw new ObjectMissingError('no such object');
      return;
    }
    const content = await this.#open(name, range);
    if (content === undefined) return;
    const pieces = content[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    try {
      for (;;) {
        const step = await askStore(() => pieces.next());
        if (step.done === true) return;
        yield step.value;
      }
    } finally {
      // Ends the connection when something is left on it.
      content.destroy();
    }
  }

  /** Undefined when the range begins at the end of the object, or behind it. */
  async #open(name: ObjectName, range: ByteRange | undefined): Promise<Readable | undefined> {
    try {
      return await (range === undefined
        ? this.#client.getObject(this.#bucket, keyOf(name))
        : this.#client.getPartialObject(this.#bucket, keyOf(name), range.offset, range.length));
    } catch (error) {
      if (saysMissing(error)) throw new ObjectMissingError('no such object');
      if (codeOf(error) === 'InvalidRange') return undefined;
      throw unavailable(error);
    }
  }

  async find(name: ObjectName): Promise<StoredObject | undefined> {
    const key = keyOf(name);
    try {
      const { size, lastModified } = await this.#client.statObject(this.#bucket, key);
      return { name, sizeBytes: size, storedAtMicros: lastModified.getTime() * 1_000 };
    } catch (error) {
      if (saysMissing(error)) return undefined;
      throw unavailable(error);
    }
  }

  async delete(name: ObjectName): Promise<void> {
    const key = keyOf(name);
    try {
      await this.#client.removeObject(this.#bucket, key);
    } catch (error) {
      if (!saysMissing(error)) throw unavailable(error);
    }
  }

  async *list(
    options: { readonly workspaceId?: string; readonly after?: ObjectName } = {},
  ): AsyncGenerator<StoredObject> {
    const prefix = options.workspaceId === undefined ? PREFIX : `${PREFIX}${options.workspaceId}/`;
    let after = options.after === undefined ? '' : keyOf(options.after);
    for (;;) {
      const page = await askStore(() =>
        this.#client.listObjectsV2Query(this.#bucket, prefix, '', '', this.#pageSize, after),
      );
      for (const { name: key, size, lastModified } of page.objects) {
        if (key === undefined) continue;
        after = key;
        const name = parseObjectName(key.slice(PREFIX.length))?.name;
        if (name !== undefined && lastModified !== undefined)
          yield { name, sizeBytes: size, storedAtMicros: lastModified.getTime() * 1_000 };
      }
      if (!page.isTruncated || page.objects.length === 0) return;
    }
  }

  /** What servers list only for a key that is named, as MinIO does, they remove by themselves after a day. */
  async deleteRemains(beforeMicros: number): Promise<number> {
    let count = 0;
    for (let marker = ''; ;) {
      const from = marker;
      const page = await askStore(() => this.#client.listIncompleteUploadsQuery(this.#bucket, PREFIX, from, '', ''));
      for (const { key, uploadId, initiated } of page.uploads) {
        if (initiated.getTime() * 1_000 >= beforeMicros || parseObjectName(key.slice(PREFIX.length)) === undefined)
          continue;
        await askStore(() => this.#client.abortMultipartUpload(this.#bucket, key, uploadId));
        count++;
      }
      if (!page.isTruncated || page.nextKeyMarker <= marker) return count;
      marker = page.nextKeyMarker;
    }
  }

  check(): Promise<BucketState> {
    const { bucket, endpoint, style = 'path' } = this.#options;
    return checkBucket({
      client: this.#client,
      bucket,
      endpoint,
      style,
      probeKey: `${PREFIX}.probe-${randomUUID()}`,
      skewMs: () => this.#connections.skewMs(),
    });
  }

  close(): void {
    this.#connections.close();
  }
}

function keyOf(name: ObjectName): string {
  // A type alone does not keep a key of somebody's making out.
  if (parseObjectName(name) === undefined) throw new RangeError('not a valid object name');
  return PREFIX + name;
}
