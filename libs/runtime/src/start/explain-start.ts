import { ServiceError } from '@answer-evidence/contracts';
import type { Config } from '../ground/config.ts';
import { databaseStartError } from '../ground/database-start-error.ts';
import { headStartError } from '../ground/head-start-error.ts';

/** Why a start ended, as a sentence that says what to do. What nobody can put right comes back as it was. */
export function explainStart(error: unknown, config: Config): unknown {
  const told = headStartError(error);
  // Of the errors that stores throw: others may be of a server that is not the database.
  return told instanceof ServiceError ? databaseStartError(told, config) : told;
}
