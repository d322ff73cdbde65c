import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'minio';
import { createOutboundHttp } from '@answer-evidence/outbound-http';
import { formatObjectName } from '@answer-evidence/ports';
import { anchorContract, headFilesContract, objectStoreContract } from '@answer-evidence/ports/contracts';
import { hasS3, openTestS3, type TestS3 } from '@answer-evidence/testing';
import { createRequest, ORIGIN, type Place } from './anchor/fixtures/requests.ts';
import { createObjectLockAnchor } from './anchor/object-lock-anchor.ts';
import { openBucketHeadFiles } from './heads/bucket-head-files.ts';
import { type BucketObjects, openBucketObjects } from './objects/bucket-objects.ts';

const MIB = 1024 * 1024;
const NAME = formatObjectName('0199f3c2-0000-7000-8000-000000000001', '0199f3c2-1111-7000-8000-0000000000ab');
const nowMicros = () => Date.now() * 1_000;
const describeWithS3 = hasS3() ? describe : describe.skip;

let s3: TestS3;
let client: Client;
beforeAll(async () => {
  if (!hasS3()) return;
  s3 = await openTestS3();
  const { url, accessKey, secretKey } = s3;
  const port = Number(new URL(url).port);
  client = new Client({ endPoint: '127.0.0.1', port, useSSL: false, region: 'us-east-1', accessKey, secretKey });
}, 180_000);
afterAll(async () => {
  await s3?.close();
});

describeWithS3('objects in a bucket of a real S3 server', () => {
  const opened: BucketObjects[] = [];
  afterAll(() => {
    for (const objects of opened) objects.close();
  });

  async function open(changes: Partial<Parameters<typeof openBucketObjects>[0]> = {}): Promise<BucketObjects> {
    const { url: endpoint, accessKey, secretKey } = s3;
    const options = { endpoint, accessKey, secretKey, bucket: 'missing', region: 'us-east-1', pageSize: 3 };
    const objects = await openBucketObjects({ ...options, ...changes });
    opened.push(objects);
    return objects;
  }

  async function openFresh(): Promise<{ readonly store: BucketObjects; readonly bucket: string }> {
    const bucket = `b-${randomUUID()}`;
    await client.makeBucket(bucket, 'us-east-1');
    return { store: await open({ bucket }), bucket };
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

  async function outcomesOf(store: BucketObjects): Promise<Record<string, string>> {
    const state = await store.check();
    if (state.kind === 'away') throw new Error('the store does not respond');
    return Object.fromEntries(state.findings.map(({ name, outcome }) => [name, outcome]));
  }

  it('are tried out: a usable bucket is, and leaves nothing of the trial', async () => {
    const { store, bucket } = await openFresh();
    expect(await outcomesOf(store)).toMatchObject({ 'bucket.versions': 'PASS', 'bucket.clock': 'PASS' });
    expect((await client.listObjectsV2Query(bucket, '', '', '', 10, '')).objects).toEqual([]);
    await client.setBucketVersioning(bucket, { Status: 'Enabled' });
    expect(await outcomesOf(store)).toMatchObject({ 'bucket.versions': 'WARN' });
  });

  it('are refused with a sentence that says what to fix, and no key in it', async () => {
    const { bucket } = await openFresh();
    await expect((await open({ bucket: 'missing' })).check()).rejects.toThrow(/no such bucket.*S3_BUCKET/);
    await expect((await open({ bucket, accessKey: 'nobody' })).check()).rejects.toThrow(/does not know S3_ACCESS_KEY/);
    const wrong = await open({ bucket, secretKey: 'a-wrong-secret' });
    await expect(wrong.check()).rejects.toThrow(/S3_SECRET_KEY does not belong/);
    await expect(wrong.check()).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('a-wrong') }),
    );
  });
});

describeWithS3('object lock on a real S3 server', () => {
  const outbound = createOutboundHttp({ allowList: new Set(['127.0.0.1:*']) });
  const anchor = createObjectLockAnchor({ outbound, clock: { nowMicros } });
  beforeAll(async () => {
    await client.makeBucket('locking', 'us-east-1', { ObjectLocking: true });
    await client.makeBucket('plain', 'us-east-1');
  });

  function request(place: Partial<Place>, n: number, signal?: AbortSignal) {
    const made = createRequest({ url: s3.url, bucket: 'locking', ...place }, n, signal);
    const keys = { access_key_id: s3.accessKey, secret_access_key: s3.secretKey };
    return { ...made, config: { ...made.config, ...keys } };
  }

  it('is looked for before anything is written, and what the store says of a place is told by what to change', async () => {
    const examine = (place: Partial<Place>, keys: object = {}) => {
      const { config, signal } = request(place, 1);
      return anchor.examine?.({ config: { ...config, ...keys }, signal });
    };
    expect(await examine({})).toBeUndefined();
    expect(await examine({ bucket: 'plain' })).toBe('no-object-lock');
    expect(await examine({ bucket: 'missing' })).toBe('no-such-bucket');
    expect(await examine({}, { access_key_id: 'nobody' })).toBe('unknown-key');
    expect(await examine({}, { secret_access_key: 'wrong' })).toBe('wrong-secret');
    // One that does not respond may do so when it is needed.
    expect(await examine({ url: 'http://127.0.0.1:1' })).toBeUndefined();
  });

  for (const promise of anchorContract) {
    it(`keeps the contract: ${promise.guarantee}`, () =>
      promise.prove({
        anchor,
        request: (n, signal) => request({ prefix: promise.guarantee.replaceAll(/\W+/g, '-') }, n, signal),
        isReadable: true,
        misbehaving: {
          'has no such bucket': request({ bucket: 'missing' }, 1),
          'does not lock': request({ bucket: 'plain' }, 1),
          'does not know the key': createRequest({ url: s3.url, bucket: 'locking' }, 1),
        },
        unspeakable: [s3.secretKey, s3.accessKey],
      }));
  }

  it('makes an object that its owner can neither delete nor release before its time', async () => {
    const outcome = await anchor.submit(request({ prefix: 'kept', days: 2 }, 9));
    if (outcome.kind === 'failed') throw new Error(outcome.detail);
    const { key, version_id: versionId } = JSON.parse(Buffer.from(outcome.artefact).toString());
    await expect(client.removeObject('locking', key, { versionId, governanceBypass: true })).rejects.toThrow();
    const retainUntilDate = new Date(Date.now() + 3_600_000).toISOString();
    for (const mode of ['COMPLIANCE', 'GOVERNANCE'] as const) {
      const weaker = { mode, retainUntilDate, versionId, governanceBypass: true };
      await expect(client.putObjectRetention('locking', key, weaker)).rejects.toThrow();
    }
    expect(await client.getObjectRetention('locking', key, { versionId })).toMatchObject({ mode: 'COMPLIANCE' });
    expect(Math.abs((outcome.at ?? 0) - nowMicros())).toBeLessThan(60_000_000);
  });

  it('is read although somebody has put a mark of deletion over it', async () => {
    const outcome = await anchor.submit(request({ prefix: 'marked' }, 3));
    if (outcome.kind === 'failed') throw new Error(outcome.detail);
    const { key } = JSON.parse(Buffer.from(outcome.artefact).toString());
    await client.removeObject('locking', key);
    await expect(client.statObject('locking', key)).rejects.toThrow();
    const { config, note, signal } = request({ prefix: 'marked' }, 3);
    expect(await anchor.readNewest({ config, signal, origin: ORIGIN })).toEqual({
      kind: 'read',
      notes: [{ note, place: `${key} in the bucket locking` }],
    });
  });

  it('says of each refusal what it is', async () => {
    const detailOf = async (given: ReturnType<typeof createRequest>) => (await anchor.submit(given)).detail;
    expect(await detailOf(request({ bucket: 'plain' }, 1))).toBe(
      'the bucket was created without object lock; create one with it',
    );
    expect(await detailOf(request({ bucket: 'missing' }, 1))).toContain('NoSuchBucket');
    expect(await detailOf(createRequest({ url: s3.url, bucket: 'locking' }, 1))).toContain('InvalidAccessKeyId');
  });
});

describeWithS3('heads in a bucket of a real S3 server', () => {
  const access = () => ({ endpoint: s3.url, accessKey: s3.accessKey, secretKey: s3.secretKey, region: 'us-east-1' });

  it.each(headFilesContract.map((promise) => [promise.guarantee, promise] as const))(
    'keep the contract: %s',
    async (_, promise) => {
      const bucket = `b-${randomUUID()}`;
      await client.makeBucket(bucket, 'us-east-1');
      const opened: Awaited<ReturnType<typeof openBucketHeadFiles>>[] = [];
      const open = async () => {
        const files = await openBucketHeadFiles({ ...access(), bucket, pageSize: 3 });
        opened.push(files);
        return files;
      };
      await promise.prove({ open });
      for (const files of opened) files.close();
      const { objects } = await client.listObjectsV2Query(bucket, '', '', '/', 10, '');
      for (const { prefix } of objects) expect(prefix).toBe('heads/');
    },
    60_000,
  );

  it('are refused with a sentence that says what to fix, and no key in it', async () => {
    const files = await openBucketHeadFiles({ ...access(), bucket: 'missing', secretKey: 'a-wrong-secret' });
    const refusal = {
      code: 'place_unavailable',
      message: expect.stringMatching(/bucket missing at .*S3_SECRET_KEY does not/),
    };
    for (const ask of [
      () => files.list('x'),
      () => files.folders(),
      () => files.read('x/y'),
      () => files.write('x/y', 'z'),
      () => files.delete('x/y'),
    ])
      await expect(ask()).rejects.toMatchObject(refusal);
    await expect(files.list('x')).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('a-wrong') }),
    );
    files.close();
  });
});
