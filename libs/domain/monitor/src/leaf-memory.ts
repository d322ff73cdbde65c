import { ENTRY_TYPES } from '@answer-evidence/contracts';
import { formatHex, parseHex } from '@answer-evidence/encoding';
import { LogOrder, type PlacedEntry } from '@answer-evidence/verify';

/** Size of a row: what the order of a log reads of a leaf, in hex (docs/formats/monitor.md, "The leaf file"). */
export const LEAF_ROW_BYTES = 97;

/**
 * The places of the leaves of a log that were read, a row for each. Rows beyond what the state counts may be there:
 * they were written before a crash.
 */
export type LeafMemory = {
  /** Whether there are rows of at least so many leaves. */
  has(leaves: number): Promise<boolean>;
  /** The rows from the first leaf on, in pieces of any size. */
  read(): AsyncIterable<Uint8Array>;
  /** Puts rows from a leaf on, instead of any that are there. They are on the disk when the call returns. */
  write(from: number, rows: string): Promise<void>;
};

const decoder = new TextDecoder('latin1');

/** The order of a log after its first leaves; undefined where their rows are missing, or are none. */
export async function readOrder(memory: LeafMemory, leaves: number, seed: number): Promise<LogOrder | undefined> {
  const order = new LogOrder(seed);
  if (leaves === 0) return order;
  if (!(await memory.has(leaves))) return undefined;
  let rest = '';
  for await (const piece of memory.read()) {
    const lines = `${rest}${decoder.decode(piece)}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (order.size === leaves) return order;
      const entry = parseRow(line);
      // Whatever is out of order was refused when it was written, so these rows are not those of this log.
      if (entry === undefined || order.add(entry).length > 0) return undefined;
    }
  }
  return order.size === leaves ? order : undefined;
}

/** The rows of entries, one after another. */
export function formatRows(entries: readonly PlacedEntry[]): string {
  return entries.map(formatRow).join('');
}

const SEQ_BITS = 53n;

function formatRow({ type, id, subject, seq, at }: PlacedEntry): string {
  const numbers = new DataView(new ArrayBuffer(16));
  numbers.setBigInt64(0, BigInt(at));
  // The number of the type stands above the bits of the largest seq.
  numbers.setBigUint64(8, (BigInt(ENTRY_TYPES.indexOf(type)) << SEQ_BITS) | BigInt(seq));
  return `${hexOf(id)}${hexOf(subject)}${formatHex(new Uint8Array(numbers.buffer))}\n`;
}

function parseRow(row: string): PlacedEntry | undefined {
  if (!/^[0-9a-f]{96}$/.test(row)) return undefined;
  const numbers = new DataView(parseHex(row.slice(64)).buffer);
  const last = numbers.getBigUint64(8);
  const type = ENTRY_TYPES[Number(last >> SEQ_BITS)];
  if (type === undefined) return undefined;
  const seq = Number(BigInt.asUintN(Number(SEQ_BITS), last));
  return {
    type,
    id: idOf(row.slice(0, 32)),
    subject: idOf(row.slice(32, 64)),
    seq,
    at: Number(numbers.getBigInt64(0)),
  };
}

function hexOf(id: string): string {
  return id.replaceAll('-', '');
}

function idOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
