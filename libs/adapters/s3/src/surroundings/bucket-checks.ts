import { fault, fine, isThisMachine, judgeClockSkew, skipped, type SurroundingCheck } from '@answer-evidence/ports';

/** How the bucket is named in a request: in the path, or as a part of the host. */
export type UrlStyle = 'path' | 'virtual-host';

/** What was found out about a bucket that was tried out. */
export type BucketFacts = {
  readonly bucket: string;
  readonly endpoint: string;
  readonly style: UrlStyle;
  readonly keepsVersions: boolean;
  /** `none`: the bucket has no object lock. `default`: it locks every new object for a time. */
  readonly lock: 'none' | 'on-request' | 'default' | 'unknown';
  readonly skewMs: number | undefined;
};

/** What is checked of the bucket for evidence, after an object was written, read, listed and deleted there. */
export const BUCKET_CHECKS: readonly SurroundingCheck<BucketFacts>[] = [
  {
    name: 'bucket.url-style',
    severity: 'warn',
    foundBy: 'S3_ENDPOINT, S3_URL_STYLE',
    judge({ bucket, endpoint, style }) {
      const { hostname, protocol } = new URL(endpoint);
      const isAmazon = /(^|\.)amazonaws\.com(\.cn)?$/.test(hostname);
      if (protocol === 'https:' && bucket.includes('.') && (style === 'virtual-host' || isAmazon))
        return fault(
          `the bucket ${bucket} has a dot in its name, which no certificate covers as a part of a host, so its name ` +
            'goes into the path; use a bucket without a dot',
        );
      return fine(style === 'virtual-host' || isAmazon ? `as ${bucket}.${hostname}` : `as ${hostname}/${bucket}`);
    },
  },
  {
    name: 'bucket.versions',
    severity: 'warn',
    foundBy: 'GetBucketVersioning',
    judge: ({ bucket, keepsVersions }) =>
      keepsVersions
        ? fault(
            `the bucket ${bucket} keeps older versions: erased data stays in it until a lifecycle rule deletes them`,
          )
        : fine('keeps no older versions'),
  },
  {
    name: 'bucket.lock',
    severity: 'warn',
    foundBy: 'GetObjectLockConfiguration',
    judge({ bucket, lock }) {
      if (lock === 'unknown') return skipped('the key may not ask, or the server does not know object lock');
      return lock === 'default'
        ? fault(
            `the bucket ${bucket} locks every new object for a time, so nothing in it can be erased; use a bucket ` +
              'without default retention',
          )
        : fine(lock === 'none' ? 'no object lock' : 'object lock without default retention');
    },
  },
  {
    name: 'bucket.tls',
    severity: 'warn',
    foundBy: 'the scheme of S3_ENDPOINT',
    judge({ endpoint }) {
      const { protocol, hostname } = new URL(endpoint);
      if (protocol === 'https:') return fine('the connection is encrypted');
      if (isThisMachine(hostname)) return skipped('is on this machine');
      return fault(`the object store at ${endpoint} is reached without TLS; use https:// in S3_ENDPOINT`);
    },
  },
  {
    name: 'bucket.clock',
    severity: 'warn',
    foundBy: 'the header Date of a reply',
    judge: ({ skewMs }) => judgeClockSkew(skewMs, 'the object store'),
  },
];
