import type { Client } from 'minio';
import { ServiceError } from '@answer-evidence/contracts';
import { askStore } from './ask-store.ts';

/** Where one object goes. */
type Destination = { readonly client: Client; readonly bucket: string; readonly key: string };

/** Most parts that S3 makes an object of. */
const PARTS_MAX = 10_000;
const HEADERS = { 'Content-Type': 'application/octet-stream' };

/**
 * Uploads a content of any size with memory for one part, and returns its size. One that fits into a part goes in one
 * request; a larger one as a multipart upload, which is given up when anything fails, with `body_too_large` when it
 * needs more parts than an object can have. The client's own streaming is not used: it waits for ever when its source
 * fails, and leaves the parts.
 */
export async function upload(
  destination: Destination,
  content: AsyncIterable<Uint8Array>,
  partBytes: number,
): Promise<number> {
  const { client, bucket, key } = destination;
  const part = Buffer.alloc(partBytes);
  const parts = new Parts(destination);
  let filled = 0;
  let sizeBytes = 0;
  try {
    for await (const piece of content) {
      sizeBytes += piece.length;
      for (let at = 0; at < piece.length;) {
        // Only now that more has come: the last part goes with what completes the object.
        if (filled === partBytes) {
          await parts.send(part);
          filled = 0;
        }
        const taken = piece.subarray(at, at + partBytes - filled);
        part.set(taken, filled);
        filled += taken.length;
        at += taken.length;
      }
    }
    const last = part.subarray(0, filled);
    if (parts.isBegun) await parts.complete(last);
    else await askStore(() => client.putObject(bucket, key, last, last.length, HEADERS));
    return sizeBytes;
  } catch (error) {
    await parts.giveUp();
    throw error;
  }
}

class Parts {
  readonly #to: Destination;
  readonly #sent: { part: number; etag: string }[] = [];
  #uploadId: string | undefined;

  constructor(to: Destination) {
    this.#to = to;
  }

  get isBegun(): boolean {
    return this.#uploadId !== undefined;
  }

  /** The memory of `content` is free again when this returns. */
  async send(content: Buffer): Promise<void> {
    const { client, bucket, key } = this.#to;
    if (this.#sent.length === PARTS_MAX)
      throw new ServiceError('body_too_large', `the object store accepts at most ${PARTS_MAX} parts per object`);
    this.#uploadId ??= await askStore(() => client.initiateNewMultipartUpload(bucket, key, HEADERS));
    const config = {
      bucketName: bucket,
      objectName: key,
      uploadID: this.#uploadId,
      partNumber: this.#sent.length + 1,
      headers: {},
    };
    const { etag } = await askStore(() => client.uploadPart(config, content));
    this.#sent.push({ part: config.partNumber, etag });
  }

  async complete(last: Buffer): Promise<void> {
    const { client, bucket, key } = this.#to;
    await this.send(last);
    const uploadId = this.#uploadId ?? '';
    await askStore(() => client.completeMultipartUpload(bucket, key, uploadId, this.#sent));
  }

  /** As well as it can be: what stays is found by `deleteRemains`. */
  async giveUp(): Promise<void> {
    const { client, bucket, key } = this.#to;
    const uploadId = this.#uploadId;
    if (uploadId !== undefined) await client.abortMultipartUpload(bucket, key, uploadId).catch(() => undefined);
  }
}
