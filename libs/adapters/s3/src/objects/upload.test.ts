import { expect, test } from '@jest/globals';
import type { Client } from 'minio';
import { upload } from './upload.ts';

const PARTS_MAX = 10_000;

/** A client that keeps nothing, and the calls that end an upload. */
function createClient() {
  const ends: string[] = [];
  const client = {
    initiateNewMultipartUpload: () => Promise.resolve('upload'),
    uploadPart: () => Promise.resolve({ etag: 'etag' }),
    completeMultipartUpload: () => Promise.resolve(void ends.push('complete')),
    abortMultipartUpload: () => Promise.resolve(void ends.push('abort')),
  };
  return { client: client as unknown as Client, ends };
}

async function* content(sizeBytes: number): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new Uint8Array(sizeBytes));
}

test('a content of more parts than S3 takes is refused as too large, and is no failure of the store', async () => {
  const { client, ends } = createClient();
  const destination = { client, bucket: 'evidence', key: 'objects/a' };
  expect(await upload(destination, content(PARTS_MAX), 1)).toBe(PARTS_MAX);
  await expect(upload(destination, content(PARTS_MAX + 1), 1)).rejects.toMatchObject({ code: 'body_too_large' });
  expect(ends).toEqual(['complete', 'abort']);
});
