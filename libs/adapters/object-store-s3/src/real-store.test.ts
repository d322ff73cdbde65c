import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'minio';
import { formatObjectName } from '@answer-evidence/ports';
import { objectStoreContract } from '@answer-evidence/ports/contracts';
import { hasS3, startTestS3, type TestS3 } from '@answer-evidence/testing';
import { type BucketObjects, openBucketObjects } from './bucket-objects.ts';

const MIB = 1024 * 1024;
const NAME = formatObjectName('0199f3c2-0000-7000-8000-000000000001', '0199f3c2-1111-7000-8000-0000000000ab');
const nowMicros = () => Date.now() * 1_000;

(hasS3() ? describe : describe.skip)('objects in a bucket of a real S3 server', () => {
  let s3: TestS3;
  let client: Client;
  const opened: BucketObjects[] = [];
  beforeAll(async () => {
    s3 = await startTestS3();
    const port = Number(new URL(s3.url).port);
    const keys = { accessKey: s3.accessKey, secretKey: s3.secretKey };
    client = new Client({ endPoint: '127.0.0.1', port, useSSL: false, region: 'us-east-1', ...keys });
  }, 180_000);
  afterAll(async () => {
    for (const objects of opened) objects.close();
    await s3.close();
  });

  function open(changes: Partial<Parameters<typeof openBucketObjects>[0]> = {}): BucketObjects {
    const { url: endpoint, accessKey, secretKey } = s3;
    const options = { endpoint, accessKey, secretKey, bucket: 'missing', region: 'us-east-1', pageSize: 3 };
    const objects = openBucketObjects({ ...options, ...changes });
    opened.push(objects);
    return objects;
  }

  async function openFresh(): Promise<{ readonly store: BucketObjects; readonly bucket: string }> {
    const bucket = `b-${randomUUID()}`;
    await client.makeBucket(bucket, 'us-east-1');
    return { store: open({ bucket }), bucket };
  }

  async function* zeros(sizeBytes: number): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < sizeBytes; at += MIB)
      yield await Promise.resolve(new Uint8Array(Math.min(MIB, sizeBytes - at)));
  }

  it.each(objectStoreContract.map((promise) => [promise.guarantee, promise] as const))(
    'keep the contract: %s',
    async (_, promise) => {
      const { store } = await openFresh();
      await promise.prove({ store, nowMicros, largeBytes: 5 * MIB + 77 });
    },
    60_000,
  );

  it('go in as many parts as they need, and lie under objects/', async () => {
    const { store, bucket } = await openFresh();
    expect(await store.put(NAME, zeros(12 * MIB + 1))).toBe(12 * MIB + 1);
    const { etag, size } = await client.statObject(bucket, `objects/${NAME}`);
    expect([size, etag.replace(/^.*-/, '')]).toEqual([12 * MIB + 1, '3']);
  }, 60_000);

  it('leave parts when the process is killed, which are removed when they are old', async () => {
    const { store, bucket } = await openFresh();
    await client.initiateNewMultipartUpload(bucket, `objects/${NAME}`, {});
    await client.initiateNewMultipartUpload(bucket, 'of-somebody-else', {});
    expect(await store.deleteRemains(nowMicros() - 3_600_000_000)).toBe(0);
    expect(await store.deleteRemains(nowMicros() + 3_600_000_000)).toBe(1);
    const left = await client.listIncompleteUploadsQuery(bucket, '', '', '', '');
    expect(left.uploads.map(({ key }) => key)).toEqual(['of-somebody-else']);
  });

  it('share a bucket with what is not theirs', async () => {
    const { store, bucket } = await openFresh();
    for (const key of ['other', 'objects/notes.txt', 'objects/x/y/z']) await client.putObject(bucket, key, 'x');
    await store.put(NAME, zeros(5));
    const names: string[] = [];
    for await (const { name } of store.list()) names.push(name);
    expect(names).toEqual([NAME]);
  });

  it('are tried out: a usable bucket is, and leaves nothing of the trial', async () => {
    const { store, bucket } = await openFresh();
    expect(await store.check()).toEqual({ kind: 'usable', keepsVersions: false });
    expect((await client.listObjectsV2Query(bucket, '', '', '', 10, '')).objects).toEqual([]);
    await client.setBucketVersioning(bucket, { Status: 'Enabled' });
    expect(await store.check()).toEqual({ kind: 'usable', keepsVersions: true });
  });

  it('are refused with a sentence that says what to fix, and no key in it', async () => {
    const { bucket } = await openFresh();
    await expect(open({ bucket: 'missing' }).check()).rejects.toThrow(/no such bucket.*S3_BUCKET/);
    await expect(open({ bucket, accessKey: 'nobody' }).check()).rejects.toThrow(/does not know S3_ACCESS_KEY/);
    const wrong = open({ bucket, secretKey: 'a-wrong-secret' });
    await expect(wrong.check()).rejects.toThrow(/S3_SECRET_KEY does not belong/);
    await expect(wrong.check()).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('a-wrong') }),
    );
  });
});
