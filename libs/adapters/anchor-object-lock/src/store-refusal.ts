import { OutboundError } from '@answer-evidence/ports';

/**
 * An S3 server that refuses, or answers with something that is not S3; the message is ours, without any of its text.
 */
export class StoreRefusal extends Error {
  override readonly name = 'StoreRefusal';
}

/** Codes of S3 errors that are repeated, since they say whose mistake it is; all others are not. */
const KNOWN: readonly string[] = [
  'AccessDenied',
  'AuthorizationHeaderMalformed',
  'InternalError',
  'InvalidAccessKeyId',
  'InvalidBucketName',
  'InvalidRequest',
  'InvalidRetentionPeriod',
  'MethodNotAllowed',
  'MovedPermanently',
  'NoSuchBucket',
  'NoSuchKey',
  'NoSuchVersion',
  'NotImplemented',
  'ObjectLockConfigurationNotFoundError',
  'PermanentRedirect',
  'RequestTimeTooSkewed',
  'ServiceUnavailable',
  'SignatureDoesNotMatch',
  'SlowDown',
];

/** The code of an S3 error, when it is a known one. */
export function storeCodeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return KNOWN.find((known) => known === error.code);
}

/**
 * Runs one call of the client. Whatever it throws is the other party's doing: `OutboundError`, or else `StoreRefusal`.
 */
export async function askStore<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof OutboundError || error instanceof StoreRefusal) throw error;
    const code = storeCodeOf(error);
    throw new StoreRefusal(`the store refused to ${what}${code === undefined ? '' : ` (${code})`}`, { cause: error });
  }
}
