/** Ids of OTLP by their size. */
export type IdField = { readonly name: string; readonly sizeBytes: number };

export const TRACE_ID: IdField = { name: 'trace_id', sizeBytes: 16 };
export const SPAN_ID: IdField = { name: 'span_id', sizeBytes: 8 };
export const PARENT_SPAN_ID: IdField = { name: 'parent_span_id', sizeBytes: 8 };

/** The bits of a span's flags that say where its parent is, and that it is in another process. */
const PARENT_IS_REMOTE = 0x300;

/** Whether a span's flags say that its parent is in another process. */
export function isParentRemote(flags: number): boolean {
  return (flags & PARENT_IS_REMOTE) === PARENT_IS_REMOTE;
}

/** The id as lower-case hex; null if all zero or of wrong length. Ids are a fifth of a batch's work: no views. */
export function formatId(bytes: Uint8Array, start: number, end: number, { sizeBytes }: IdField): string | null {
  if (end - start !== sizeBytes) return null;
  const codes = new Array<number>(2 * sizeBytes);
  let any = 0;
  for (let n = 0; n < sizeBytes; n++) {
    const byte = bytes[start + n] ?? 0;
    any |= byte;
    codes[2 * n] = digitCode(byte >> 4);
    codes[2 * n + 1] = digitCode(byte & 15);
  }
  return any === 0 ? null : String.fromCharCode(...codes);
}

function digitCode(value: number): number {
  return value < 10 ? 0x30 + value : 0x57 + value;
}

/** What is wrong with an id of this many bytes that `formatId` makes nothing of. */
export function describeBadId({ name, sizeBytes }: IdField, length: number): string {
  if (length === 0) return `${name} is missing`;
  if (length === sizeBytes) return `${name} is all zero`;
  const hint = length === sizeBytes * 1.5 ? ': it looks like hexadecimal that was decoded as base64' : '';
  return `${name} has ${length} bytes and needs ${sizeBytes}${hint}`;
}
