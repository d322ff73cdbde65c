import { type TrustFile, trustFile } from '@answer-evidence/contracts';
import { readPinnedCertificates } from '@answer-evidence/rfc3161';
import { assertReadablePins, findEvidence, UnreadablePinError } from '@answer-evidence/verify';
import { readInput, readJson } from './files.ts';
import type { Io } from './io.ts';
import { readWith } from './issues.ts';
import { UsageError } from './usage-error.ts';

/** The pins that an option names. Throws `UsageError` for a file that is not one. */
export async function readTrustFile(io: Io, path: string): Promise<TrustFile> {
  const bytes = await readInput(io, path);
  const { kind } = findEvidence(bytes);
  if (kind === 'bundle' || kind === 'pack')
    throw new UsageError(`${path} is evidence, and not a trust file: are it and the trust file swapped?`);
  const read = readWith(trustFile, readJson(path, bytes));
  if ('fault' in read) throw new UsageError(`${path} is not a trust file: ${read.fault}`);
  try {
    assertReadablePins(read.value, readPinnedCertificates);
  } catch (error) {
    if (error instanceof UnreadablePinError) throw new UsageError(`${path}: a pin cannot be read: ${error.message}`);
    throw error;
  }
  return read.value;
}
