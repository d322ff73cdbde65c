import type { ColumnType } from '@answer-evidence/tables';
import { ColumnArray, type Statement } from './insert-rows.ts';

/** Message types of the PostgreSQL protocol, version 3 ("Message Formats"). */
const BIND = 0x42;
const CLOSE = 0x43;
const EXECUTE = 0x45;
const PARSE = 0x50;
const SYNC = 0x53;
/** The kind of thing that Close closes: a prepared statement. */
const OF_STATEMENT = 0x53;

/** What PostgreSQL calls the types of columns (pg_type.dat). */
const OIDS: Readonly<Record<ColumnType, number>> = {
  boolean: 16,
  bytea: 17,
  bigint: 20,
  integer: 23,
  text: 25,
  uuid: 2950,
};
const UUID_BYTES = 16;
const HYPHEN = 0x2d;
const INT32_VALUES = 2 ** 32;

/** Up to this length a loop over the characters is faster than a call into Node. */
const SHORT_TEXT = 40;
/** The most that a UTF-16 code unit takes in UTF-8. */
const UTF8_BYTES_MAX = 3;

/**
 * Messages of the extended query protocol, one behind another in one piece of memory, to be sent by one write. pg
 * writes each message into memory of its own and makes a Buffer of each value that is bytes, which was half of what
 * sending a batch cost. The memory is new for each transaction, since the socket may still be reading that of the one
 * before.
 */
export class WireMessages {
  #bytes: Buffer;
  #at = 0;

  /** `sizeBytes`: the room that is taken first; it grows where that is not enough. */
  constructor(sizeBytes: number) {
    this.#bytes = Buffer.allocUnsafe(sizeBytes);
  }

  /** All messages so far. Nothing may be added once they were taken. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  /** Forgets a prepared statement; one that is not there is no error. */
  close(name: string): void {
    const start = this.#begin(CLOSE);
    this.#reserve(1);
    this.#bytes[this.#at++] = OF_STATEMENT;
    this.#name(name);
    this.#end(start);
  }

  /** Prepares a statement; the server infers the types of its parameters. */
  parse({ name, text }: Statement): void {
    const start = this.#begin(PARSE);
    this.#name(name);
    this.#name(text);
    this.#int16(0);
    this.#end(start);
  }

  /** Binds values to a prepared statement: bytes and arrays in binary, null as null, everything else as text. */
  bind({ name, values }: Statement): void {
    const start = this.#begin(BIND);
    this.#name('');
    this.#name(name);
    this.#formats(values);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#int16(0);
    this.#end(start);
  }

  /** Runs what was bound, to its end. */
  execute(): void {
    const start = this.#begin(EXECUTE);
    this.#name('');
    this.#int32(0);
    this.#end(start);
  }

  /** Ends the transaction that the messages since the last Sync are. */
  sync(): void {
    this.#end(this.#begin(SYNC));
  }

  #begin(type: number): number {
    this.#reserve(5);
    const start = this.#at;
    this.#bytes[start] = type;
    this.#at = start + 5;
    return start;
  }

  /** The length counts itself and what follows it. */
  #end(start: number): void {
    this.#setInt32(start + 1, this.#at - start - 1);
  }

  #formats(values: readonly unknown[]): void {
    this.#int16(values.length);
    this.#reserve(2 * values.length);
    for (const value of values) {
      this.#bytes[this.#at++] = 0;
      this.#bytes[this.#at++] = value instanceof Uint8Array || value instanceof ColumnArray ? 1 : 0;
    }
  }

  #value(value: unknown): void {
    if (value === null) {
      this.#int32(-1);
    } else if (value instanceof Uint8Array) {
      this.#int32(value.length);
      this.#reserve(value.length);
      this.#bytes.set(value, this.#at);
      this.#at += value.length;
    } else if (value instanceof ColumnArray) {
      this.#array(value);
    } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      this.#reserve(4);
      const start = this.#at;
      this.#at += 4;
      this.#text(String(value));
      this.#setInt32(start, this.#at - start - 4);
    } else {
      throw new TypeError('a value of a row is neither text, number, truth value nor bytes');
    }
  }

  /** An array of one dimension that counts from 1 (`array_recv` of PostgreSQL), each element in binary. */
  #array({ rows, column, type }: ColumnArray): void {
    this.#reserve(4);
    const start = this.#at;
    this.#at += 4;
    this.#int32(1);
    const flagAt = this.#at;
    this.#int32(0);
    this.#int32(OIDS[type]);
    this.#int32(rows.length);
    this.#int32(1);
    let hasNull = false;
    for (const row of rows) {
      const value = row[column];
      hasNull ||= value === null;
      this.#element(value, type);
    }
    if (hasNull) this.#setInt32(flagAt, 1);
    this.#setInt32(start, this.#at - start - 4);
  }

  #element(value: unknown, type: ColumnType): void {
    if (value === null) this.#int32(-1);
    else if (type === 'bytea' && value instanceof Uint8Array) this.#value(value);
    else if (type === 'text' && typeof value === 'string') this.#value(value);
    else if (type === 'uuid' && typeof value === 'string') this.#uuid(value);
    else if (type === 'bigint' && Number.isSafeInteger(value)) this.#int64(value as number);
    else if (type === 'integer' && value === ((value as number) | 0)) {
      this.#int32(4);
      this.#int32(value);
    } else if (type === 'boolean' && typeof value === 'boolean') {
      this.#int32(1);
      this.#reserve(1);
      this.#bytes[this.#at++] = value ? 1 : 0;
    } else throw new TypeError(`a value of a row is not of the type ${type}`);
  }

  #uuid(text: string): void {
    this.#int32(UUID_BYTES);
    this.#reserve(UUID_BYTES);
    const end = this.#at + UUID_BYTES;
    for (let n = 0; n < text.length; n += 2) {
      if (text.charCodeAt(n) === HYPHEN) n += 1;
      const byte = (digitValue(text.charCodeAt(n)) << 4) | digitValue(text.charCodeAt(n + 1));
      if (byte < 0 || this.#at === end) throw new TypeError('a value of a row is no UUID');
      this.#bytes[this.#at++] = byte;
    }
    if (this.#at !== end) throw new TypeError('a value of a row is no UUID');
  }

  #int64(value: number): void {
    const high = Math.floor(value / INT32_VALUES);
    this.#int32(8);
    this.#int32(high);
    this.#int32(value - high * INT32_VALUES);
  }

  #name(name: string): void {
    this.#text(name);
    this.#reserve(1);
    this.#bytes[this.#at++] = 0;
  }

  #text(text: string): void {
    this.#reserve(UTF8_BYTES_MAX * text.length);
    if (text.length <= SHORT_TEXT && this.#ascii(text)) return;
    this.#at += this.#bytes.write(text, this.#at);
  }

  /** Writes a text of ASCII; of another nothing is kept, and the result is false. */
  #ascii(text: string): boolean {
    const bytes = this.#bytes;
    const at = this.#at;
    for (let n = 0; n < text.length; n++) {
      const unit = text.charCodeAt(n);
      if (unit > 0x7f) return false;
      bytes[at + n] = unit;
    }
    this.#at = at + text.length;
    return true;
  }

  #int16(value: number): void {
    this.#reserve(2);
    this.#bytes[this.#at++] = value >>> 8;
    this.#bytes[this.#at++] = value;
  }

  #int32(value: number): void {
    this.#reserve(4);
    this.#setInt32(this.#at, value);
    this.#at += 4;
  }

  #setInt32(at: number, value: number): void {
    this.#bytes[at] = value >>> 24;
    this.#bytes[at + 1] = value >>> 16;
    this.#bytes[at + 2] = value >>> 8;
    this.#bytes[at + 3] = value;
  }

  #reserve(sizeBytes: number): void {
    if (this.#at + sizeBytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#at + sizeBytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

/** The value of a hexadecimal digit, or -1. */
function digitValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
