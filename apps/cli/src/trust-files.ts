import { type TrustFile, trustFile } from '@answer-evidence/contracts';
import { readJsonInput } from './files.ts';
import type { Io } from './io.ts';
import { readWith } from './issues.ts';
import { UsageError } from './usage-error.ts';

/** The pins that an option names. Throws `UsageError` for a file that is not one. */
export async function readTrustFile(io: Io, path: string): Promise<TrustFile> {
  const read = readWith(trustFile, await readJsonInput(io, path));
  if ('fault' in read) throw new UsageError(`${path} is not a trust file: ${read.fault}`);
  return read.value;
}
