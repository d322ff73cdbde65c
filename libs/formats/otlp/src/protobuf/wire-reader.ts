import { OtlpError } from '../otlp-error.ts';
import { createKeyCache, type KeyCache } from './key-cache.ts';

/** A message type: its name for errors, and which field numbers below 31 it has, as bits. */
export type MessageType = { readonly name: string; readonly fields: number };

/** A message type with these fields. */
export function messageType(name: string, ...numbers: readonly number[]): MessageType {
  return { name, fields: numbers.reduce((bits, number) => bits | (1 << number), 0) };
}

/** How a field's value is written; the low three bits of its tag. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;

/** Texts up to this size are put together here: the decoder's call costs more than that. */
const SHORT_TEXT_BYTES = 24;

/** Reads the Protocol Buffers wire format within `end`. Throws `OtlpError` (`malformed`) rather than read past it. */
export class WireReader {
  readonly bytes: Uint8Array;
  at = 0;
  /** Where the message that is being read ends. */
  end: number;
  readonly #view: DataView;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #keys: KeyCache = createKeyCache();

  constructor(bytes: Uint8Array) {
    // Not a Buffer: its `slice` shares memory.
    this.bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
  }

  /** Steps into the message whose length stands here; returns what `leave` needs. */
  enter(): number {
    const length = this.readLength();
    const outer = this.end;
    this.end = this.at + length;
    return outer;
  }

  /** Back in the message around, behind the one that was entered, however much of it was read. */
  leave(outer: number): void {
    this.at = this.end;
    this.end = outer;
  }

  /** Field number and wire type as one number: `number << 3 | type`. */
  readTag(): number {
    const first = this.#byte();
    if (first < 0x80) return first;
    const tag = this.#readLowBits(first);
    if (this.#high !== 0) throw this.#malformed('a field number is out of range');
    return tag;
  }

  /** Skips a field that this message type does not define. Throws when it does: then its wire type is wrong. */
  skip(tag: number, type: MessageType): void {
    const number = tag >>> 3;
    if (number === 0) throw this.#malformed('a field has the number 0');
    if (number < 31 && ((type.fields >>> number) & 1) === 1) {
      throw new OtlpError(
        'malformed',
        `field ${number} of ${type.name} must have the wire type of opentelemetry-proto 1.11`,
        `${type.name} ${number}`,
      );
    }
    switch (tag & 7) {
      case VARINT:
        this.#readLowBits(this.#byte());
        return;
      case FIXED64:
        this.#step(8);
        return;
      case LENGTH:
        this.#step(this.readLength());
        return;
      case FIXED32:
        this.#step(4);
        return;
      default:
        throw this.#malformed('a field has a wire type that OTLP does not use');
    }
  }

  /** A length that lies within the message. */
  readLength(): number {
    const first = this.#byte();
    const length = first < 0x80 ? first : this.#readLowBits(first);
    if (length > this.end - this.at || (first >= 0x80 && this.#high !== 0)) {
      throw this.#malformed('a length exceeds the enclosing message');
    }
    return length;
  }

  /** Steps over a length-delimited value; returns where it begins. It ends at `at`. */
  skipLength(): number {
    const length = this.readLength();
    this.at += length;
    return this.at - length;
  }

  readFixed64(): bigint {
    const at = this.#step(8);
    return this.#view.getBigUint64(at, true);
  }

  readFixed32(): number {
    const at = this.#step(4);
    return this.#view.getUint32(at, true);
  }

  readDouble(): number {
    const at = this.#step(8);
    return this.#view.getFloat64(at, true);
  }

  readBool(): boolean {
    const low = this.#readLowBits(this.#byte());
    return low !== 0 || this.#high !== 0;
  }

  /** An enum or int32: the low 32 bits, signed, as every reader of the format takes them. */
  readInt32(): number {
    const first = this.#byte();
    return first < 0x80 ? first : this.#readLowBits(first) | 0;
  }

  /** A `number` while a double holds it exactly, else a `bigint`. */
  readInt64(): number | bigint {
    const first = this.#byte();
    if (first < 0x80) return first;
    const low = this.#readLowBits(first);
    const high = this.#high | 0;
    // 2^53 - 1 has 21 bits in its high half.
    if (high >= -0x20_0000 && high < 0x20_0000 && !(high === -0x20_0000 && low === 0))
      return high * 0x1_0000_0000 + low;
    return (BigInt(high) << 32n) | BigInt(low);
  }

  /** The text of these bytes, which must be valid UTF-8. */
  textOf(start: number, end: number): string {
    if (end - start <= SHORT_TEXT_BYTES) {
      const text = this.#readShortAscii(start, end);
      if (text !== undefined) return text;
    }
    return this.#decode(start, end);
  }

  /** `textOf` for texts that are few and often the same. */
  keyOf(start: number, end: number): string {
    const { bytes } = this;
    return this.#keys.find(bytes, start, end) ?? this.#keys.keep(bytes, start, end, this.#decode(start, end));
  }

  /** In memory of its own. */
  readBytes(): Uint8Array {
    const start = this.skipLength();
    return this.bytes.slice(start, this.at);
  }

  #decode(start: number, end: number): string {
    try {
      return this.#decoder.decode(this.bytes.subarray(start, end));
    } catch {
      throw new OtlpError('malformed', `the text at byte ${start} must be UTF-8`);
    }
  }

  #readShortAscii(start: number, end: number): string | undefined {
    let text = '';
    for (let at = start; at < end; at++) {
      const byte = this.bytes[at] ?? 0x80;
      if (byte >= 0x80) return undefined;
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** The high half of the varint that `#readLowBits` has read. */
  #high = 0;

  /** The low half, unsigned, of the varint that begins with `first`. At most ten bytes; bits beyond 64 are dropped. */
  #readLowBits(first: number): number {
    let low = first & 0x7f;
    this.#high = 0;
    if (first < 0x80) return low;
    for (let shift = 7; shift < 28; shift += 7) {
      const next = this.#byte();
      low |= (next & 0x7f) << shift;
      if (next < 0x80) return low;
    }
    let byte = this.#byte();
    low = (low | ((byte & 0x7f) << 28)) >>> 0;
    let high = (byte & 0x7f) >>> 4;
    for (let shift = 3; byte >= 0x80; shift += 7) {
      if (shift > 31) throw this.#malformed('a number has more than ten bytes');
      byte = this.#byte();
      high |= (byte & 0x7f) << shift;
    }
    this.#high = high >>> 0;
    return low;
  }

  #byte(): number {
    if (this.at >= this.end) throw this.#malformed('a message ends inside a field');
    return this.bytes[this.at++] ?? 0;
  }

  /** Where the next `size` bytes begin; they are behind `at` then. */
  #step(size: number): number {
    const start = this.at;
    if (size > this.end - start) throw this.#malformed('a message ends inside a field');
    this.at = start + size;
    return start;
  }

  #malformed(what: string): OtlpError {
    return new OtlpError(
      'malformed',
      `the body is not an OTLP protobuf message: at byte ${this.at}, ${what}; use an exporter or the files of opentelemetry-proto`,
    );
  }
}
