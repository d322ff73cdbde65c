import type { NamedBuckets, OutboundMethods } from '@answer-evidence/ports';
import { openTenantClient } from '../anchor/open-tenant-client.ts';
import { askStore, StoreRefusal } from '../anchor/store-refusal.ts';

/** A response to a PUT, or a page of XML about an error. */
const ANSWER_MAX_BYTES = 64 * 1024;

/** Buckets that tenants name, by the minio client through the way out. */
export function createNamedBuckets(outbound: OutboundMethods): NamedBuckets {
  return {
    async put(bucket, key, content, limits) {
      try {
        const client = await openTenantClient(bucket, outbound, { ...limits, bytesMax: ANSWER_MAX_BYTES });
        await askStore('take the object', () =>
          client.putObject(bucket.bucket, key, Buffer.from(content), content.length, {
            'Content-Type': 'application/x-ndjson',
          }),
        );
        return undefined;
      } catch (error) {
        if (error instanceof StoreRefusal) return error.message;
        throw error;
      }
    },
  };
}
