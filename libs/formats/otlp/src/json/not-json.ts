import { locateJsonFault } from '@answer-evidence/encoding';
import { OtlpError } from '../otlp-error.ts';

/** The error for a body that is no JSON document; it says where it stops being one. */
export function notJson(body: Uint8Array | string): OtlpError {
  return new OtlpError('malformed', `the body is not JSON: ${locateJsonFault(body)}`);
}
