import type { OtlpBatch, OtlpSignal } from '@answer-evidence/otlp-mapping';
import { OTLP_LIMITS, type OtlpLimits } from '../limits.ts';
import { OtlpError } from '../otlp-error.ts';
import { wrongSignal } from '../wrong-signal.ts';
import { readGroups, type ReadItem } from './read-groups.ts';
import { readLogRecord } from './read-log-record.ts';
import { readSpan } from './read-span.ts';
import { tellSignal } from './tell-signal.ts';

/** Reads an `ExportTraceServiceRequest` in protobuf; a bad span is rejected alone. Throws `OtlpError` for bad bytes. */
export function readTracesRequest(bytes: Uint8Array, limits: OtlpLimits = OTLP_LIMITS): OtlpBatch {
  return readOne(bytes, limits, 'traces', readSpan);
}

/** Reads an `ExportLogsServiceRequest` as `readTracesRequest` does the other one. Throws `OtlpError`. */
export function readLogsRequest(bytes: Uint8Array, limits: OtlpLimits = OTLP_LIMITS): OtlpBatch {
  return readOne(bytes, limits, 'logs', readLogRecord);
}

function readOne(bytes: Uint8Array, limits: OtlpLimits, signal: OtlpSignal, readItem: ReadItem): OtlpBatch {
  try {
    return readGroups(bytes, limits, signal, readItem);
  } catch (error) {
    // Log records at the path of traces are a common mistake, and read as spans they are nonsense.
    const told = error instanceof OtlpError && error.fault === 'malformed' ? tellSignal(bytes) : undefined;
    if (told !== undefined && told !== signal) throw wrongSignal(told, signal);
    throw error;
  }
}
