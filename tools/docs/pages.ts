import { PROBLEM_ADVICE, PROBLEM_CODES, PROBLEM_TABLE } from '@answer-evidence/contracts';
import { SETTINGS } from '@answer-evidence/runtime';
import { formatConfiguration } from './format-configuration.ts';
import { formatErrorCodes } from './format-error-codes.ts';

/** Every generated page by its path in the repository, before prettier has laid it out. */
export function createPages(): Readonly<Record<string, string>> {
  return {
    'docs/configuration.md': formatConfiguration(SETTINGS),
    'docs/error-codes.md': formatErrorCodes(
      PROBLEM_CODES.map((code) => ({ code, ...PROBLEM_TABLE[code], advice: PROBLEM_ADVICE[code] })),
    ),
  };
}
