import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'minio';
import { createOutboundHttp } from '@answer-evidence/outbound-http';
import { anchorContract } from '@answer-evidence/ports/contracts';
import { hasS3, startTestS3, type TestS3 } from '@answer-evidence/testing';
import { createRequest, type Place } from './fixtures/requests.ts';
import { createObjectLockAnchor } from './object-lock-anchor.ts';

const clock = { nowMicros: () => Date.now() * 1000 };
const outbound = createOutboundHttp({ allowList: new Set(), allowLoopback: true });
const anchor = createObjectLockAnchor({ outbound, clock });

(hasS3() ? describe : describe.skip)('object lock on a real S3 server', () => {
  let s3: TestS3;
  let client: Client;
  beforeAll(async () => {
    s3 = await startTestS3();
    const port = Number(new URL(s3.url).port);
    const keys = { accessKey: s3.accessKey, secretKey: s3.secretKey };
    client = new Client({ endPoint: '127.0.0.1', port, useSSL: false, region: 'us-east-1', ...keys });
    await client.makeBucket('locking', 'us-east-1', { ObjectLocking: true });
    await client.makeBucket('plain', 'us-east-1');
  }, 180_000);
  afterAll(() => s3.close());

  function request(place: Partial<Place>, n: number, signal?: AbortSignal) {
    const made = createRequest({ url: s3.url, bucket: 'locking', ...place }, n, signal);
    const keys = { access_key_id: s3.accessKey, secret_access_key: s3.secretKey };
    return { ...made, config: { ...made.config, ...keys } };
  }

  for (const promise of anchorContract) {
    it(`keeps the contract: ${promise.guarantee}`, () =>
      promise.prove({
        anchor,
        request: (n, signal) => request({ prefix: promise.guarantee.replaceAll(/\W+/g, '-') }, n, signal),
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
    expect(Math.abs((outcome.at ?? 0) - clock.nowMicros())).toBeLessThan(60_000_000);
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
