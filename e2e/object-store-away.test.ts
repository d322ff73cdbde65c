import { randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { hasS3 } from '@answer-evidence/testing';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { downloadAsset, hashOf, listAssets, uploadFile } from './support/evidence-client.ts';
import { openBucketBehindRelay } from './support/object-places.ts';

const DEADLINE_MS = 240_000;

/** A store under a service that can be taken away from it. */
type FragileStore = {
  readonly service: TestService;
  takeAway(): Promise<void>;
  giveBack(): Promise<void>;
};

const toClose: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let close = toClose.pop(); close !== undefined; close = toClose.pop()) await close();
}, DEADLINE_MS);

async function openOnFiles(): Promise<FragileStore> {
  const service = await openTestService();
  toClose.push(() => service.close());
  const folder = join(service.dataDir, 'objects');
  return {
    service,
    // Not by permissions, which do not hold for root: as a disk that is not mounted.
    async takeAway() {
      await rename(folder, `${folder}.away`);
      await writeFile(folder, '');
    },
    async giveBack() {
      await rm(folder);
      await rename(`${folder}.away`, folder);
    },
  };
}

async function openOnBucket(): Promise<FragileStore> {
  const { relay, environment } = await openBucketBehindRelay((close) => toClose.push(close));
  const service = await openTestService({ environment });
  toClose.push(() => service.close());
  return {
    service,
    takeAway: () => Promise.resolve(relay.cut()),
    giveBack: () => Promise.resolve(relay.mend()),
  };
}

const STORES = [['files', openOnFiles] as const, ...(hasS3() ? [['a bucket', openOnBucket] as const] : [])];

describe.each(STORES)('while the object store is unavailable (%s)', (_, open) => {
  it(
    'what needs it is 503 and keeps nothing, all else goes on, and it is used again by itself',
    async () => {
      const { service, takeAway, giveBack } = await open();
      const place = { baseUrl: service.baseUrl, token: service.managerToken };
      const content = randomBytes(150_000);
      const kept = await uploadFile(place, content);
      expect(kept.status).toBe(201);
      await takeAway();

      const refused = await uploadFile(place, randomBytes(100_000), { key: 'while-away' });
      expect(refused).toMatchObject({ status: 503, body: { code: 'object_store_unavailable' } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(JSON.stringify(refused.body)).not.toContain(service.dataDir);
      const download = await downloadAsset(place, kept.body.id);
      expect(download.status).toBe(503);
      expect(JSON.parse(download.content.toString())).toMatchObject({ code: 'object_store_unavailable' });
      expect((await service.call('POST', '/api/answer-audit-logs', { body: answer('a question') })).status).toBe(201);
      expect(await listAssets(place)).toHaveLength(1);
      const reference = { application_key: 'support-bot', external_uri: 'https://example.com/a' };
      expect((await service.call('POST', '/api/evidence-assets', { body: reference })).status).toBe(201);

      await giveBack();
      const again = await uploadFile(place, randomBytes(100_000), { key: 'while-away' });
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
      expect(hashOf((await downloadAsset(place, kept.body.id)).content)).toBe(hashOf(content));
    },
    DEADLINE_MS,
  );
});

(hasS3() ? describe : describe.skip)('a service that starts while its bucket', () => {
  it(
    'does not answer says so, starts when it keeps its heads elsewhere, and uses it when it is there',
    async () => {
      const { relay, environment } = await openBucketBehindRelay((close) => toClose.push(close));
      relay.cut();
      await expect(openTestService({ environment })).rejects.toThrow(
        /^the heads in the bucket .* cannot be read and written: the server does not respond; start it, or correct/,
      );
      const heads = await mkdtemp(join(tmpdir(), 'answer-evidence-heads-'));
      toClose.push(() => rm(heads, { recursive: true, force: true }));
      const service = await openTestService({ environment: { ...environment, SERVICE_HEADS: `folder:${heads}` } });
      toClose.push(() => service.close());
      expect(service.reports).toContain(`the object store at ${relay.url} is unavailable; evidence waits for it`);
      const place = { baseUrl: service.baseUrl, token: service.managerToken };
      expect((await uploadFile(place, randomBytes(10))).status).toBe(503);
      relay.mend();
      expect((await uploadFile(place, randomBytes(10))).status).toBe(201);
    },
    DEADLINE_MS,
  );

  it(
    'refuses does not start, and says what to mend',
    async () => {
      const { environment } = await openBucketBehindRelay((close) => toClose.push(close));
      const start = (changes: object) => openTestService({ environment: { ...environment, ...changes } });
      await expect(start({ S3_BUCKET: 'not-there' })).rejects.toThrow(/not-there.*no such bucket/);
      await expect(start({ S3_SECRET_KEY: 'wrong' })).rejects.toThrow(/S3_SECRET_KEY does not belong to S3_ACCESS_KEY/);
    },
    DEADLINE_MS,
  );
});
