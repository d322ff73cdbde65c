import { ServiceError } from '@answer-evidence/contracts';
import { HeadError, type HeadErrorCode, StoredDamageError } from '@answer-evidence/ports';
import { StartError } from './start-error.ts';

/** How to continue with a log on which nothing more is signed. */
export const HOW_TO_CONTINUE =
  'The service signs nothing on it: restore the newest backup, or continue with "npm run operator -- ledger-recover"; see docs/operations.md, "A refused start"';

/**
 * The same where only the database's row is wrong, and nothing signed says that the log is. Which settings a session
 * reads it with was judged before.
 */
const LOOK =
  'The service signs nothing on it: "npm run operator -- doctor" shows whether this is the right database and master key, and ' +
  '"npm run operator -- ledger-check" what else differs from what was signed; see docs/operations.md, "A refused start"';

const ADVICE: Readonly<Record<HeadErrorCode, string | undefined>> = {
  row_refused: LOOK,
  log_refused: HOW_TO_CONTINUE,
  log_disputed: HOW_TO_CONTINUE,
  server_changed:
    'The next start continues it under another name, or as it is if SERVICE_DATABASE_FAILOVER says that nothing can be missing; see docs/operations/high-availability.md',
  head_missing:
    'The service signs nothing on it: set SERVICE_HEADS to the place that has the heads, restore them from a backup, or accept the log as it is with "npm run operator -- heads-adopt"; see docs/operations.md, "A refused start"',
  kept_unreadable: undefined,
  kept_gone: undefined,
  place_unavailable: undefined,
};

/** What is wrong with a head, and what to do about it. */
export function adviceOn(code: HeadErrorCode, message: string): string {
  const advice = ADVICE[code];
  return advice === undefined ? message : `${message}. ${advice}`;
}

/** Why a head is not trusted, as one sentence that says what to do. What is something else comes back as it was. */
export function headStartError(error: unknown): unknown {
  if (error instanceof HeadError) return new StartError(adviceOn(error.code, error.message), { cause: error });
  if (error instanceof StoredDamageError)
    return new StartError(`a log was altered, cut or lost in the database (${error.message}). ${LOOK}`, {
      cause: error,
    });
  if (!(error instanceof ServiceError)) return error;
  if (error.cause instanceof HeadError) return headStartError(error.cause);
  if (error.remedy !== 'stop-process') return error;
  const reason = error.cause instanceof Error ? error.cause.message : error.message;
  return new StartError(`${reason}. ${HOW_TO_CONTINUE}`, { cause: error });
}
