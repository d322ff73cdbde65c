import type pg from 'pg';
import { checkLedger } from '@answer-evidence/audit';
import type { LedgerCheckReport } from '@answer-evidence/contracts';
import type { Workspace } from '@answer-evidence/ports';
import { type Patience, readWorkspace } from './session.ts';
import { createLedgerReader } from './stores/ledger-reader.ts';

/** A day. Its statements have no limit of their own, and one of them goes through all rows of a table. */
const PATIENCE: Patience = { answerMsMax: 86_400_000 };

/**
 * Re-derives everything that the database holds of a workspace, in one snapshot, and names every fault. It calls `turn`
 * before each piece of work, and goes on when that resolves.
 */
export async function checkStoredLedger(
  pool: pg.Pool,
  workspace: Workspace,
  turn: () => Promise<void>,
): Promise<LedgerCheckReport> {
  return readWorkspace(
    pool,
    workspace.id,
    async (query) => {
      // A large ledger takes as long as it takes, and hashing between two statements may be slow on a busy machine.
      await query(
        '',
        `select set_config('statement_timeout', '0', true),
        set_config('idle_in_transaction_session_timeout', '0', true)`,
        [],
      );
      return checkLedger(createLedgerReader(query, workspace, turn), turn);
    },
    PATIENCE,
  );
}
