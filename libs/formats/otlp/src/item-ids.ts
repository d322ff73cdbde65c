import { formatHex } from '@answer-evidence/encoding';

/** Ids of OTLP by their size. */
export type IdField = { readonly name: string; readonly sizeBytes: number };

export const TRACE_ID: IdField = { name: 'trace_id', sizeBytes: 16 };
export const SPAN_ID: IdField = { name: 'span_id', sizeBytes: 8 };
export const PARENT_SPAN_ID: IdField = { name: 'parent_span_id', sizeBytes: 8 };

/** The id as lower-case hex; null when it is all zero or has a wrong length. */
export function formatId(bytes: Uint8Array, start: number, end: number, field: IdField): string | null {
  if (end - start !== field.sizeBytes) return null;
  for (let at = start; at < end; at++) if (bytes[at] !== 0) return formatHex(bytes.subarray(start, end));
  return null;
}

/** What is wrong with an id of this many bytes that `formatId` makes nothing of. */
export function describeBadId({ name, sizeBytes }: IdField, length: number): string {
  if (length === 0) return `${name} is missing`;
  if (length === sizeBytes) return `${name} is all zero`;
  const hint = length === sizeBytes * 1.5 ? ': it looks like hexadecimal that was decoded as base64' : '';
  return `${name} has ${length} bytes and needs ${sizeBytes}${hint}`;
}
