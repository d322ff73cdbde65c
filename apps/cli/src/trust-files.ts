import { type TrustFile, trustFile } from '@answer-evidence/contracts';
import { readJsonInput } from './files.ts';
import type { Io } from './io.ts';
import { formatIssues } from './issues.ts';
import { UsageError } from './usage-error.ts';

/** The pins that an option names. Throws `UsageError` for a file that is not one. */
export async function readTrustFile(io: Io, path: string): Promise<TrustFile> {
  const parsed = trustFile.safeParse(await readJsonInput(io, path));
  if (!parsed.success) throw new UsageError(`${path} is not a trust file: ${formatIssues(parsed.error.issues)}`);
  return parsed.data;
}
