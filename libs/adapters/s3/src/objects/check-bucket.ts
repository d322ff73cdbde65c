import type { Client } from 'minio';
import { type Finding, judgeSurroundings, PlatformCredentialsError } from '@answer-evidence/ports';
import { codeOf } from '../error-code.ts';
import { BUCKET_CHECKS, type BucketFacts, type UrlStyle } from '../surroundings/bucket-checks.ts';
import { BucketRefusedError } from './bucket-refused-error.ts';

/** What is known of a bucket after it was tried out. */
export type BucketState =
  | { readonly kind: 'usable'; readonly findings: readonly Finding[] }
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
  ExpiredToken: 'the session of the keys has ended: let the platform give new ones, or replace S3_SESSION_TOKEN',
  InvalidToken: 'the store does not know the session of the keys: replace S3_SESSION_TOKEN together with them',
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

/** What a certificate is refused for. */
const OF_CERTIFICATES =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_\w+)$/;

/** What is wrong with a bucket or the way to it, and what to do, without a word of the server. */
export function describeRefusal(error: unknown): string {
  const platform = findPlatformError(error);
  if (platform !== undefined) return platform.message;
  const code = codeOf(error) ?? '';
  if (OF_CERTIFICATES.test(code))
    return `the certificate of the store is not trusted (${code}): name its authority's file in NODE_EXTRA_CA_CERTS`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return 'the store does not speak TLS at this port: use http:// in S3_ENDPOINT, or its TLS port';
  if (AWAY.includes(code)) return 'the server does not respond; start it, or correct S3_ENDPOINT';
  return REFUSALS[code] ?? 'the server at S3_ENDPOINT is not an S3 server, or refuses for an unknown reason';
}

/** The client wraps what is thrown where it asks for keys, once or twice. */
function findPlatformError(error: unknown): PlatformCredentialsError | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++)
    if (at instanceof PlatformCredentialsError) return at;
  return undefined;
}

/** What a bucket is tried out with. */
type Trial = {
  readonly client: Client;
  readonly bucket: string;
  readonly endpoint: string;
  readonly style: UrlStyle;
  readonly probeKey: string;
  /** How far the clock of the store is ahead, as its last reply said. */
  readonly skewMs: () => number | undefined;
};

/**
 * Writes, reads, lists and deletes an object, and makes the checks of `BUCKET_CHECKS`. Throws `BucketRefusedError` for
 * what stays wrong until somebody fixes it; a check that refuses is among the findings.
 */
export async function checkBucket({ client, bucket, endpoint, style, probeKey, skewMs }: Trial): Promise<BucketState> {
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
  const facts: BucketFacts = {
    bucket,
    endpoint,
    style,
    keepsVersions: await keepsVersions(client, bucket),
    lock: await readLock(client, bucket),
    skewMs: skewMs(),
  };
  return { kind: 'usable', findings: judgeSurroundings(BUCKET_CHECKS, facts) };
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

async function readLock(client: Client, bucket: string): Promise<BucketFacts['lock']> {
  try {
    // The types of the client leave out that it is a promise.
    const asked = client.getObjectLockConfig(bucket) as unknown as Promise<unknown>;
    const answer = await asked;
    const { objectLockEnabled, mode } = answer as { readonly objectLockEnabled?: unknown; readonly mode?: unknown };
    if (objectLockEnabled !== 'Enabled') return 'none';
    return mode === undefined || mode === '' ? 'on-request' : 'default';
  } catch (error) {
    return codeOf(error) === 'ObjectLockConfigurationNotFoundError' ? 'none' : 'unknown';
  }
}
