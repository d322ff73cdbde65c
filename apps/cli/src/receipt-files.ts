import { readTextInput } from './files.ts';
import type { Io } from './io.ts';

/** A receipt from a file. A second line break at the end, as `jq -r` writes it, is not part of the format: dropped. */
export async function readReceipt(io: Io, path: string): Promise<string> {
  return (await readTextInput(io, path)).replace(/\n\n$/, '\n');
}

/** A ledger entry from a file. An entry is one line without a break; a break at the end comes from a tool: dropped. */
export async function readEntry(io: Io, path: string): Promise<string> {
  return (await readTextInput(io, path)).replace(/\r?\n$/, '');
}
