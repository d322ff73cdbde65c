import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'minio';
import { findFreePort, isInstalled } from '@answer-evidence/testing';
import { SplitFailure } from './failure.ts';
import { type Part, startPart } from './part.ts';

/** Where the bytes of evidence are, which must not change: they are in no other place. */
export type ObjectPlace = 'S3_ENDPOINT' | 'minio' | 'folder';

const BUCKET = 'evidence';
const REGION = 'us-east-1';

/** The place that there is. */
export function findObjectPlace(environment: NodeJS.ProcessEnv): ObjectPlace {
  if (environment['S3_ENDPOINT'] !== undefined) return 'S3_ENDPOINT';
  return isInstalled('minio') ? 'minio' : 'folder';
}

/** Refuses to go on without the place that has the evidence. */
export function assertSamePlace(before: ObjectPlace, now: ObjectPlace, folder: string): void {
  if (before === now) return;
  const how = {
    S3_ENDPOINT: 'set the S3_ settings as before',
    minio: 'install MinIO, and unset S3_ENDPOINT',
    folder: 'start with --objects folder, and unset S3_ENDPOINT',
  }[before];
  throw new SplitFailure(
    `the evidence of ${folder} is in ${before}, and would now go to ${now}; ${how}, or choose another folder with --data`,
  );
}

/** Starts MinIO with its data in the folder, and makes the bucket once. */
export async function startMinio(folder: string, secret: string): Promise<{ part: Part; settings: NodeJS.ProcessEnv }> {
  const data = join(folder, 'minio');
  await mkdir(data, { recursive: true, mode: 0o700 });
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const part = startPart({
    name: 'minio',
    folder,
    command: ['minio', 'server', '--address', `127.0.0.1:${port}`, data],
    environment: { ...process.env, MINIO_ROOT_USER: 'split', MINIO_ROOT_PASSWORD: secret },
    server: { url, ask: () => fetch(url, { signal: AbortSignal.timeout(2_000) }) },
  });
  await part.ready;
  const client = new Client({
    endPoint: '127.0.0.1',
    port,
    useSSL: false,
    region: REGION,
    accessKey: 'split',
    secretKey: secret,
  });
  if (!(await client.bucketExists(BUCKET))) await client.makeBucket(BUCKET);
  const settings = { S3_ENDPOINT: url, S3_BUCKET: BUCKET, S3_ACCESS_KEY: 'split', S3_SECRET_KEY: secret };
  return { part, settings };
}

/** A password for a server that only this machine reaches. */
export function createSecret(): string {
  return randomBytes(24).toString('base64url');
}
