import type pg from 'pg';
import { type CheckedRange, checkLedger, type CheckProgress, type SettingsChange } from '@answer-evidence/audit';
import type { LedgerCheckProgress, LedgerCheckReport } from '@answer-evidence/contracts';
import type { Workspace } from '@answer-evidence/ports';
import { type Patience, type Query, readWorkspace } from '../session.ts';
import { createLedgerReader } from './ledger-reader.ts';
import { preferIndexes } from './prefer-plans.ts';

/** A day. Its statements have no limit of their own, and one of them goes through all rows of a table. */
const PATIENCE: Patience = { answerMsMax: 86_400_000 };

/** A range of leaves for a thread, which reads it from the snapshot of the whole check. */
export type RangeTask = {
  readonly workspaceId: string;
  /** As PostgreSQL exports it. */
  readonly snapshot: string;
  readonly from: number;
  readonly to: number;
  readonly settings: readonly SettingsChange[];
};

/** Threads that check ranges; each has a connection of its own. */
export type RangeThreads = {
  readonly atOnce: number;
  /** A log with fewer leaves is checked without them: they take a second to start. */
  readonly leavesMin: number;
  readonly run: (task: RangeTask) => Promise<CheckedRange>;
};

/** How a check of what is stored goes about it. */
export type StoredCheckOptions = {
  readonly threads?: RangeThreads;
  readonly progress?: CheckProgress;
  /** Told how far it is. */
  readonly onProgress?: (progress: LedgerCheckProgress) => void;
};

/**
 * Re-derives everything that the database holds of a workspace, in one snapshot, and names every fault. It calls `turn`
 * before each piece of work, and goes on when that resolves.
 */
export async function checkStoredLedger(
  pool: pg.Pool,
  workspace: Workspace,
  turn: () => Promise<void>,
  { threads, progress, onProgress }: StoredCheckOptions = {},
): Promise<LedgerCheckReport> {
  return readWorkspace(
    pool,
    workspace.id,
    async (query) => {
      await beginCheck(query);
      const size = await readSize(query, workspace.id);
      const ranges = threads === undefined ? undefined : await openRanges(query, workspace.id, size, threads);
      return checkLedger(createLedgerReader(query, workspace, turn), turn, {
        ...(ranges === undefined ? {} : { ranges }),
        ...(progress === undefined ? {} : { progress }),
        // A head that was altered may name fewer leaves than there are.
        onProgress: (part, done) => onProgress?.({ kind: 'progress', part, done, of: Math.max(size, done) }),
      });
    },
    PATIENCE,
  );
}

/** A large ledger takes as long as it takes, and hashing between two statements may be slow on a busy machine. */
export async function beginCheck(query: Query): Promise<void> {
  await preferIndexes(query);
  await query(
    '',
    `select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`,
    [],
  );
}

/** How many leaves there are, as the head says. */
async function readSize(query: Query, workspaceId: string): Promise<number> {
  const [head] = await query<{ tree_size: number }>(
    '',
    'select tree_size from answer_evidence.ledger_heads where workspace_id = $1',
    [workspaceId],
  );
  return head?.tree_size ?? 0;
}

async function openRanges(query: Query, workspaceId: string, size: number, { atOnce, leavesMin, run }: RangeThreads) {
  if (size < leavesMin) return undefined;
  const [exported] = await query<{ snapshot: string }>('', 'select pg_export_snapshot() as snapshot', []);
  if (exported === undefined) throw new Error('PostgreSQL exports the snapshot of a transaction');
  const { snapshot } = exported;
  return {
    atOnce,
    check: ({ from, to }: { readonly from: number; readonly to: number }, settings: readonly SettingsChange[]) =>
      run({ workspaceId, snapshot, from, to, settings }),
  };
}
