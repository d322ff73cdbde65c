import { concatBytes } from '@answer-evidence/encoding';

const encoder = new TextEncoder();

/** A field of text; no bytes when it is empty, as in proto3. */
export function textField(number: number, text: string): Uint8Array {
  return text === '' ? new Uint8Array(0) : bytesField(number, encoder.encode(text));
}

/** A length-delimited field, also an empty one: a message that is there and has no fields. */
export function bytesField(number: number, bytes: Uint8Array): Uint8Array {
  return concatBytes(varint((number << 3) | 2), varint(bytes.length), bytes);
}

/** A field of a whole number, 0 to 2^53 - 1; no bytes when it is 0, as in proto3. */
export function intField(number: number, value: number): Uint8Array {
  return value === 0 ? new Uint8Array(0) : concatBytes(varint(number << 3), varint(value));
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
