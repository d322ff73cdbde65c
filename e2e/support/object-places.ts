import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'minio';
import { openFileObjects } from '@answer-evidence/filesystem';
import type { ObjectStore } from '@answer-evidence/ports';
import { openBucketObjects } from '@answer-evidence/s3';
import { hasS3, startTestS3 } from '@answer-evidence/testing';

/** Where a service keeps the bytes of evidence, and the same place seen from here. */
export type ObjectPlace = {
  readonly environment: Readonly<Record<string, string>>;
  readonly store: ObjectStore;
  close(): Promise<void>;
};

/** A place for the service of a data folder. */
type OpenObjectPlace = (dataDir: string) => Promise<ObjectPlace>;

async function openFiles(dataDir: string): Promise<ObjectPlace> {
  const store = await openFileObjects(join(dataDir, 'objects'));
  return { environment: {}, store, close: () => Promise.resolve() };
}

async function openBucket(): Promise<ObjectPlace> {
  const { url, accessKey, secretKey, close } = await startTestS3();
  const bucket = `evidence-${randomUUID()}`;
  const port = Number(new URL(url).port);
  const region = 'us-east-1';
  await new Client({ endPoint: '127.0.0.1', port, useSSL: false, region, accessKey, secretKey }).makeBucket(bucket);
  const store = openBucketObjects({ endpoint: url, bucket, accessKey, secretKey, region });
  return {
    environment: { S3_ENDPOINT: url, S3_BUCKET: bucket, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey },
    store,
    async close() {
      store.close();
      await close();
    },
  };
}

/** The places that there are on this machine. */
export const OBJECT_PLACES: readonly (readonly [string, OpenObjectPlace])[] = [
  ['in files', openFiles],
  ...(hasS3() ? [['in a bucket of a real S3 server', openBucket] as const] : []),
];

/** Names of everything that is visible. */
export async function namesIn(store: ObjectStore): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of store.list()) names.push(name);
  return names;
}
