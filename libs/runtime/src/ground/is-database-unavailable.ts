import { ServiceError } from '@answer-evidence/contracts';
import { isUnavailable } from '@answer-evidence/postgres';

/** Whether an error means that the database is unavailable for the moment. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof ServiceError && error.code === 'ledger_unavailable');
}
