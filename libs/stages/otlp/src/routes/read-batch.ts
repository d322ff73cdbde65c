import { ServiceError } from '@answer-evidence/contracts';
import { OtlpError, type OtlpFault, type OtlpLimits, readRequest } from '@answer-evidence/otlp';
import type { OtlpBatch, OtlpSignal } from '@answer-evidence/otlp-mapping';
import { encodingOf } from './ingest-otlp/problem-form.ts';

/** Faults that a smaller batch fixes; all others are malformed. Neither is to be sent again. */
const TOO_LARGE: readonly OtlpFault[] = ['too_many_items', 'too_many_values'];

/** The items of a body, of the signal or, where it is undefined, of either. Throws 400 and 413. */
export function readBatch(
  body: Uint8Array,
  contentType: string | undefined,
  signal: OtlpSignal | undefined,
  limits: OtlpLimits,
): OtlpBatch {
  try {
    return readRequest(body, encodingOf(contentType), signal, limits);
  } catch (error) {
    if (!(error instanceof OtlpError)) throw error;
    const code = TOO_LARGE.includes(error.fault) ? 'body_too_large' : 'malformed_request';
    throw new ServiceError(code, error.message, {
      errors: error.field === '' ? [] : [{ pointer: error.field, detail: error.message }],
    });
  }
}
