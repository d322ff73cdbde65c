import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'minio';
import { openFileObjects } from '@answer-evidence/filesystem';
import type { ObjectStore } from '@answer-evidence/ports';
import { openBucketObjects } from '@answer-evidence/s3';
import { hasS3, openCuttableRelay, openTestS3 } from '@answer-evidence/testing';

/** Where a service keeps the bytes of evidence, and the same place seen from here. */
export type ObjectPlace = {
  readonly environment: Readonly<Record<string, string>>;
  readonly store: ObjectStore;
  close(): Promise<void>;
};

/** A server of objects, if that is needed, which gives each service a place of its own. */
export type ObjectPlaces = {
  open(dataDir: string): Promise<ObjectPlace>;
  close(): Promise<void>;
};

function openFolders(): Promise<ObjectPlaces> {
  const nothing = () => Promise.resolve();
  return Promise.resolve({
    async open(dataDir) {
      return { environment: {}, store: await openFileObjects(join(dataDir, 'objects')), close: nothing };
    },
    close: nothing,
  });
}

async function openBuckets(): Promise<ObjectPlaces> {
  const { url, accessKey, secretKey, close } = await openTestS3();
  const port = Number(new URL(url).port);
  const region = 'us-east-1';
  return {
    async open() {
      const bucket = `evidence-${randomUUID()}`;
      await new Client({ endPoint: '127.0.0.1', port, useSSL: false, region, accessKey, secretKey }).makeBucket(bucket);
      const store = await openBucketObjects({ endpoint: url, bucket, accessKey, secretKey, region });
      return {
        environment: { S3_ENDPOINT: url, S3_BUCKET: bucket, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey },
        store,
        close() {
          store.close();
          return Promise.resolve();
        },
      };
    },
    close,
  };
}

/** The kinds of places that there are on this machine. */
export const OBJECT_PLACES: readonly (readonly [string, () => Promise<ObjectPlaces>])[] = [
  ['in files', openFolders],
  ...(hasS3() ? [['in a bucket of a real S3 server', openBuckets] as const] : []),
];

/** A bucket that can be taken away, and the settings that lead to it. */
export async function openBucketBehindRelay(closeLater: (close: () => Promise<void>) => void) {
  const { url, accessKey, secretKey, close } = await openTestS3();
  closeLater(close);
  const bucket = `evidence-${randomUUID()}`;
  const port = Number(new URL(url).port);
  await new Client({
    endPoint: '127.0.0.1',
    port,
    useSSL: false,
    region: 'us-east-1',
    accessKey,
    secretKey,
  }).makeBucket(bucket);
  const relay = await openCuttableRelay(url);
  closeLater(() => relay.close());
  const environment = {
    S3_ENDPOINT: relay.url,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY: accessKey,
    S3_SECRET_KEY: secretKey,
  };
  return { relay, environment };
}

/** Names of everything that is visible. */
export async function namesIn(store: ObjectStore): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of store.list()) names.push(name);
  return names;
}
