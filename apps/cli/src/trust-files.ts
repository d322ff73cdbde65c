import { type TrustFile, trustFile } from '@answer-evidence/contracts';
import { readPinnedCertificates } from '@answer-evidence/rfc3161';
import { assertReadablePins, UnreadablePinError } from '@answer-evidence/verify';
import { readJsonInput } from './files.ts';
import type { Io } from './io.ts';
import { readWith } from './issues.ts';
import { UsageError } from './usage-error.ts';

/** The pins that an option names. Throws `UsageError` for a file that is not one. */
export async function readTrustFile(io: Io, path: string): Promise<TrustFile> {
  const read = readWith(trustFile, await readJsonInput(io, path));
  if ('fault' in read) throw new UsageError(`${path} is not a trust file: ${read.fault}`);
  try {
    assertReadablePins(read.value, readPinnedCertificates);
  } catch (error) {
    if (error instanceof UnreadablePinError) throw new UsageError(`${path}: a pin cannot be read: ${error.message}`);
    throw error;
  }
  return read.value;
}
