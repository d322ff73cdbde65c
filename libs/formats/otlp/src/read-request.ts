import type { OtlpBatch, OtlpSignal } from '@answer-evidence/otlp-mapping';
import type { OtlpEncoding } from './encoding.ts';
import { readJsonRequest } from './json/read-json-request.ts';
import { OTLP_LIMITS, type OtlpLimits } from './limits.ts';
import { readLogsRequest, readTracesRequest } from './protobuf/read-request.ts';
import { tellSignal } from './protobuf/tell-signal.ts';

/**
 * Reads the body of a request, already decompressed. `signal` is what the path takes, or undefined for one that takes
 * both; then the body tells. An empty request is a batch of no items, and then it does not matter of which signal.
 * Throws `OtlpError`.
 */
export function readRequest(
  bytes: Uint8Array,
  encoding: OtlpEncoding,
  signal: OtlpSignal | undefined,
  limits: OtlpLimits = OTLP_LIMITS,
): OtlpBatch {
  if (encoding === 'json') return readJsonRequest(bytes, signal, limits);
  // Items that do not tell can be log records only: a span has ids.
  const told = signal ?? tellSignal(bytes) ?? 'logs';
  return told === 'traces' ? readTracesRequest(bytes, limits) : readLogsRequest(bytes, limits);
}
