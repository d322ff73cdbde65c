import type { Client } from 'minio';
import { codeOf } from '../error-code.ts';
import { BucketRefusedError } from './bucket-refused-error.ts';

/** What is known of a bucket after it was tried out. */
export type BucketState =
  /** `keepsVersions`: what is deleted stays in it as an older version. */
  | { readonly kind: 'usable'; readonly keepsVersions: boolean }
  /** Nobody answers there at the moment. */
  | { readonly kind: 'away' };

/** What an operator can fix, by what the server says. */
const REFUSALS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket: create it, or correct S3_BUCKET',
  InvalidAccessKeyId: 'the store does not know S3_ACCESS_KEY',
  SignatureDoesNotMatch: 'S3_SECRET_KEY does not belong to S3_ACCESS_KEY',
  AccessDenied: 'S3_ACCESS_KEY may not write, read, delete and list in it',
  AuthorizationHeaderMalformed: 'S3_REGION is not the region of the store',
  PermanentRedirect: 'S3_ENDPOINT or S3_REGION is not that of the bucket',
  RequestTimeTooSkewed: 'the clocks of this machine and of the store differ by more than the store allows',
};

/** The system's codes for a server that is not there now and may be later. */
const AWAY = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

/** What is wrong with a bucket or the way to it, and what to do, without a word of the server. */
export function describeRefusal(error: unknown): string {
  const code = codeOf(error);
  if (code !== undefined && AWAY.includes(code)) return 'the server does not respond; start it, or correct S3_ENDPOINT';
  return REFUSALS[code ?? ''] ?? 'the server at S3_ENDPOINT is not an S3 server, or refuses for an unknown reason';
}

/**
 * Writes, reads, lists and deletes an object. Throws `BucketRefusedError` for what stays wrong until somebody fixes it.
 */
export async function checkBucket(client: Client, bucket: string, probeKey: string): Promise<BucketState> {
  try {
    await client.putObject(bucket, probeKey, Buffer.from('a probe\n'));
    // GET, since HEAD is refused without saying why.
    for await (const _ of await client.getObject(bucket, probeKey)) void _;
    await client.listObjectsV2Query(bucket, probeKey, '', '', 1, '');
    await client.removeObject(bucket, probeKey);
  } catch (error) {
    const code = codeOf(error);
    if (code !== undefined && AWAY.includes(code)) return { kind: 'away' };
    throw new BucketRefusedError(`the bucket ${bucket} cannot be used: ${describeRefusal(error)}`, { cause: error });
  }
  return { kind: 'usable', keepsVersions: await keepsVersions(client, bucket) };
}

/** Not every key may ask, and not every server knows. */
async function keepsVersions(client: Client, bucket: string): Promise<boolean> {
  try {
    const { Status: status } = (await client.getBucketVersioning(bucket)) as { readonly Status?: unknown };
    return status === 'Enabled';
  } catch {
    return false;
  }
}
