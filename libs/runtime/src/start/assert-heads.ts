import { ServiceError } from '@answer-evidence/contracts';
import { HeadError } from '@answer-evidence/ports';
import { assertHeadsHold } from '@answer-evidence/stage-trust';
import type { Stores } from './open-stores.ts';
import { StartError } from './start-error.ts';

/** Refuses logs that are behind or beside what was kept outside of the database. Throws `StartError`. */
export async function assertHeads(stores: Pick<Stores, 'directory' | 'logs' | 'headStore'>): Promise<void> {
  try {
    await assertHeadsHold(stores);
  } catch (error) {
    throw headStartError(error);
  }
}

function headStartError(error: unknown): unknown {
  const advice =
    'The service signs nothing on it: restore the newest backup, or continue with "npm run ledger:recover"; see docs/operations.md, "A refused start"';
  if (error instanceof HeadError) {
    const message = error.code === 'kept_unreadable' ? error.message : `${error.message}. ${advice}`;
    return new StartError(message, { cause: error });
  }
  if (error instanceof ServiceError && error.remedy === 'stop-process') {
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    return new StartError(`${reason}. ${advice}`, { cause: error });
  }
  return error;
}
