import {
  ApiError,
  MismatchError as ClientMismatchError,
  ReceiptError,
  UnreachableError,
} from '@answer-evidence/client';
import {
  MismatchError,
  ProblemError,
  ResponseError,
  TimeoutError,
  TransportError,
  VerificationError,
} from './errors.ts';

/** What this package throws for an error of the client; any other error as it is. */
export function toEvidenceError(error: unknown): unknown {
  if (error instanceof ReceiptError) return VerificationError.ofReceipt(error);
  if (error instanceof ClientMismatchError) return new MismatchError(error);
  if (error instanceof UnreachableError)
    return error.reason === 'timeout'
      ? new TimeoutError(error.message, { cause: error })
      : new TransportError('unreachable', error.message, { cause: error });
  if (!(error instanceof ApiError)) return error;
  const { message, problem, retryAfterMs, status } = error;
  return problem === null
    ? new ResponseError(message, status, retryAfterMs, { cause: error })
    : new ProblemError(message, problem, retryAfterMs, { cause: error });
}

/** The same promise, rejecting with errors of this package. */
export async function translated<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw toEvidenceError(error);
  }
}
