import { readTextInput } from './files.ts';
import type { Io } from './io.ts';

/** A receipt from a file. A second line break at the end, as `jq -r` writes it, is no part of the format and is left out. */
export async function readReceipt(io: Io, path: string): Promise<string> {
  return (await readTextInput(io, path)).replace(/\n\n$/, '\n');
}

/** A ledger entry from a file. An entry is one line without a break, so that one at the end is the tool's that wrote it. */
export async function readEntry(io: Io, path: string): Promise<string> {
  return (await readTextInput(io, path)).replace(/\r?\n$/, '');
}
