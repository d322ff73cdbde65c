import type { OtlpSignal } from '@answer-evidence/otlp-mapping';
import { OtlpError } from './otlp-error.ts';

/** The error for a request of one signal at the path of the other. */
export function wrongSignal(sent: OtlpSignal, wanted: OtlpSignal): OtlpError {
  return new OtlpError(
    'wrong_signal',
    `the body has ${sent}, but this path accepts ${wanted}: send it to …/v1/${sent}`,
  );
}
