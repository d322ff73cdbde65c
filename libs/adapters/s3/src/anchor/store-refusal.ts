import { OutboundError } from '@answer-evidence/ports';
import { codeOf } from '../error-code.ts';

/** An S3 server refuses, or its response is not S3; the message is ours, without any of its text. */
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
  const code = codeOf(error);
  return KNOWN.find((known) => known === code);
}

/** Runs one call of the client. Whatever that throws becomes `StoreRefusal`, unless it is `OutboundError`. */
export async function askStore<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof OutboundError || error instanceof StoreRefusal) throw error;
    const code = storeCodeOf(error);
    throw new StoreRefusal(`the store refused to ${what}${code === undefined ? '' : ` (${code})`}`, { cause: error });
  }
}
