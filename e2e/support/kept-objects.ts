import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Client } from 'minio';
import { findSplitPlace } from '../../tools/scenery/split-place.ts';
import type { TestService } from '../../tools/scenery/test-service.ts';

/** The objects of evidence of a workspace, as somebody who has the store could read and change them. */
export type KeptObjects = {
  names(): Promise<readonly string[]>;
  read(name: string): Promise<Buffer>;
  write(name: string, content: Buffer): Promise<void>;
  delete(name: string): Promise<void>;
};

/** Those of the workspace of a service: in its folder, or in the bucket of the split form. */
export async function openKeptObjects(service: TestService): Promise<KeptObjects> {
  const { id } = (await service.call('GET', '/api/whoami')).body.workspace;
  const place = findSplitPlace();
  if (place !== undefined) return openBucket(place.environment, `objects/${id}/`);
  const root = join(service.dataDir, 'objects');
  return {
    async names() {
      const entries = await readdir(join(root, id), { recursive: true, withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)));
    },
    read: (name) => readFile(join(root, name)),
    write: (name, content) => writeFile(join(root, name), content),
    delete: (name) => rm(join(root, name)),
  };
}

function openBucket(environment: Readonly<Record<string, string>>, prefix: string): KeptObjects {
  const {
    S3_ACCESS_KEY: accessKey = '',
    S3_BUCKET: bucket = '',
    S3_ENDPOINT: endpoint = '',
    S3_SECRET_KEY: secretKey = '',
  } = environment;
  const { hostname, port } = new URL(endpoint);
  const place = { endPoint: hostname, port: Number(port), useSSL: false, region: 'us-east-1' };
  const client = new Client({ ...place, accessKey, secretKey });
  return {
    async names() {
      const names: string[] = [];
      for await (const { name } of client.listObjectsV2(bucket, prefix, true)) if (name !== undefined) names.push(name);
      return names;
    },
    read: async (name) => buffer(await client.getObject(bucket, name)),
    async write(name, content) {
      await client.putObject(bucket, name, content);
    },
    delete: (name) => client.removeObject(bucket, name),
  };
}
