import type { Client } from 'minio';
import type { AnchorConfig } from '@answer-evidence/contracts';
import { EncodingError, parseTimestamp } from '@answer-evidence/encoding';
import type { OutboundMethods } from '@answer-evidence/ports';
import { saysMissing } from '../error-code.ts';
import { openTenantClient } from './open-tenant-client.ts';
import type { TransportLimits } from './outbound-transport.ts';
import { askStore, storeCodeOf, StoreRefusal } from './store-refusal.ts';

/** A bucket with the key to it. */
type BucketAccess = Extract<AnchorConfig, { type: 'object-lock' }> & { readonly secret_access_key: string };

/** What a server says about the lock of one version. */
export type LockedVersion = {
  readonly mode: string;
  readonly retainUntilMicros: number;
  readonly etag: string;
  /** When the server took the version in, by its own clock, in whole seconds. */
  readonly lastModifiedMicros: number;
};

/** What an anchor does with a bucket. Every method rejects with `OutboundError` or `StoreRefusal`. */
export type Bucket = {
  readonly name: string;
  hasObjectLock(): Promise<boolean>;
  findNewest(key: string): Promise<{ readonly versionId: string; readonly sizeBytes: number } | undefined>;
  /** The first versions under a prefix by the order of keys, the newest of a key first, without marks of deletion. */
  listVersions(prefix: string, limit: number): Promise<readonly { readonly key: string; readonly versionId: string }[]>;
  /** The id of the new version; undefined when the bucket keeps none. */
  put(key: string, content: Uint8Array): Promise<string | undefined>;
  retain(key: string, versionId: string, untilMicros: number): Promise<void>;
  readLock(key: string, versionId: string): Promise<LockedVersion>;
  read(key: string, versionId: string): Promise<Uint8Array>;
};

/** What the client says of a version in a list, which its types leave out in part. */
type ListedVersion = { readonly name?: string; readonly versionId?: string | null; readonly isDeleteMarker?: boolean };

/** A checkpoint, a list of a few versions, or a page of XML about an error. */
const ANSWER_MAX_BYTES = 64 * 1024;
const VERSION_ID = /^[A-Za-z0-9._~-]{1,1024}$/;

/** A bucket by the minio client, through the way out. Opens nothing by itself. */
export async function openBucket(
  access: BucketAccess,
  outbound: OutboundMethods,
  limits: Omit<TransportLimits, 'bytesMax'>,
): Promise<Bucket> {
  const name = access.bucket;
  const client = await openTenantClient(access, outbound, { ...limits, bytesMax: ANSWER_MAX_BYTES });
  return {
    name,
    async hasObjectLock() {
      try {
        return (await readLockConfig(client, name)).objectLockEnabled === 'Enabled';
      } catch (error) {
        if (storeCodeOf(error) === 'ObjectLockConfigurationNotFoundError') return false;
        return askStore('say whether it locks', () => Promise.reject(error as Error));
      }
    },
    async findNewest(key) {
      try {
        const { versionId, size } = await client.statObject(name, key);
        return isVersionId(versionId) ? { versionId, sizeBytes: size } : undefined;
      } catch (error) {
        if (saysMissing(error)) return undefined;
        return askStore('look for the object', () => Promise.reject(error as Error));
      }
    },
    async listVersions(prefix, limit) {
      const options = { Delimiter: '', MaxKeys: limit, IncludeVersion: true };
      const { objects } = await askStore('list its versions', () => client.listObjectsQuery(name, prefix, '', options));
      return objects.flatMap((object) => {
        const { name: key = '', versionId, isDeleteMarker } = object as ListedVersion;
        return isDeleteMarker !== true && key.startsWith(prefix) && isVersionId(versionId) ? [{ key, versionId }] : [];
      });
    },
    async put(key, content) {
      const put = () =>
        client.putObject(name, key, Buffer.from(content), content.length, { 'Content-Type': 'text/plain' });
      const { versionId } = await askStore('take the object', put);
      return isVersionId(versionId) ? versionId : undefined;
    },
    async retain(key, versionId, untilMicros) {
      const retainUntilDate = new Date(untilMicros / 1000).toISOString();
      const retention = { mode: 'COMPLIANCE' as const, retainUntilDate, versionId };
      // A request of its own: the client sends lock headers of a PUT as plain metadata, which a HEAD shows like a lock.
      await askStore('lock the object', () => client.putObjectRetention(name, key, retention));
    },
    async readLock(key, versionId) {
      const retention = await askStore('show the lock', () => client.getObjectRetention(name, key, { versionId }));
      const stat = await askStore('show the object', () => client.statObject(name, key, { versionId }));
      if (stat.versionId !== versionId) throw new StoreRefusal('the store returned another version');
      return {
        mode: retention?.mode ?? '',
        retainUntilMicros: readTime(retention?.retainUntilDate),
        etag: stat.etag.replace(/[^\x20-\x7e]/g, '').slice(0, 200),
        lastModifiedMicros: Math.floor(stat.lastModified.getTime() / 1000) * 1_000_000,
      };
    },
    read: (key, versionId) =>
      askStore('give back the object', async () => {
        const parts: Uint8Array[] = [];
        for await (const part of await client.getObject(name, key, { versionId })) parts.push(part as Uint8Array);
        return new Uint8Array(Buffer.concat(parts));
      }),
  };
}

/** By its callback: the client's types promise nothing of its promise. */
function readLockConfig(client: Client, name: string): Promise<{ readonly objectLockEnabled?: unknown }> {
  return new Promise((resolve, reject) => {
    client.getObjectLockConfig(name, (error, config) => {
      if (error === null) resolve(config ?? {});
      else reject(error);
    });
  });
}

/** The client puts it into a query as it is. */
function isVersionId(versionId: string | null | undefined): versionId is string {
  return typeof versionId === 'string' && VERSION_ID.test(versionId) && versionId !== 'null';
}

function readTime(text: unknown): number {
  try {
    return parseTimestamp(typeof text === 'string' ? text : '');
  } catch (error) {
    if (error instanceof EncodingError) throw new StoreRefusal('the store gave no date for the lock', { cause: error });
    throw error;
  }
}
