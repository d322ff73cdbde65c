import { concatBytes, utf8 } from '@answer-evidence/encoding';
import type { OtlpSignal } from '@answer-evidence/otlp-mapping';
import type { OtlpEncoding } from '../encoding.ts';
import { trimText } from './trim-text.ts';
import { bytesField, intField, textField } from './wire-writer.ts';

/** Bytes of a whole response; OTLP asks clients to read at most 4 MiB, and servers to shorten the message first. */
export const RESPONSE_MAX_BYTES = 4 * 1024 * 1024;
/** What a message may need in JSON for each of its bytes, and what is around it. */
const MESSAGE_MAX_BYTES = RESPONSE_MAX_BYTES / 8;

/** What was not taken of a request. No item and no message is a full success; no item and a message is a warning. */
export type PartialSuccess = { readonly rejected: number; readonly message: string };

/** `rejected_spans` or `rejected_log_records`; and in JSON. */
const REJECTED_NAMES: Readonly<Record<OtlpSignal, string>> = { traces: 'rejectedSpans', logs: 'rejectedLogRecords' };

/**
 * An `ExportTraceServiceResponse` or `ExportLogsServiceResponse`: the body of a 200 (OTLP 1.11, "Full Success",
 * "Partial Success"). On full success `partial_success` is not set. A client does not send rejected items again, so no
 * fault that passes belongs into it.
 */
export function formatExportResponse(
  signal: OtlpSignal,
  encoding: OtlpEncoding,
  { rejected, message }: PartialSuccess = { rejected: 0, message: '' },
): Uint8Array {
  const text = trimText(message.toWellFormed(), MESSAGE_MAX_BYTES);
  const isFull = rejected === 0 && text === '';
  if (encoding === 'protobuf') {
    return isFull ? new Uint8Array(0) : bytesField(1, concatBytes(intField(1, rejected), textField(2, text)));
  }
  if (isFull) return utf8('{}');
  // A 64-bit integer is a string in JSON.
  const count = rejected === 0 ? {} : { [REJECTED_NAMES[signal]]: String(rejected) };
  return utf8(JSON.stringify({ partialSuccess: { ...count, ...(text === '' ? {} : { errorMessage: text }) } }));
}
