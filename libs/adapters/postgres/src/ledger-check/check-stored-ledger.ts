import type pg from 'pg';
import {
  type CheckedLog,
  type CheckedRange,
  checkLedger,
  type CheckProgress,
  type SettingsChange,
} from '@answer-evidence/audit';
import type { LedgerCheckProgress, LedgerCheckReport } from '@answer-evidence/contracts';
import { equalBytes, formatTimestamp, parseHex } from '@answer-evidence/encoding';
import type { Workspace } from '@answer-evidence/ports';
import { type Patience, type Query, readWorkspace } from '../session.ts';
import { type CheckStatement, createKeptChecks, type KeptCheck } from './kept-checks.ts';
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
  /** Kept elsewhere than in the database. */
  readonly progress?: CheckProgress;
  /**
   * What is found is kept in the database: other processes take part in the check, and one that is interrupted goes on.
   * `isSince`: it begins where the last one without a fault ended.
   */
  readonly kept?: { readonly now: () => number; readonly isSince: boolean };
  readonly blockLeaves?: number;
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
  options: StoredCheckOptions = {},
): Promise<LedgerCheckReport> {
  const { threads, onProgress } = options;
  return readWorkspace(
    pool,
    workspace.id,
    async (query) => {
      await beginCheck(query);
      const size = await readSize(query, workspace.id);
      const ranges = threads === undefined ? undefined : await openRanges(query, workspace.id, size, threads);
      const { since, kept } = await openKept(pool, workspace, query, options);
      const progress = options.progress ?? kept?.progress;
      try {
        let sound: CheckedLog | undefined;
        const report = await checkLedger(createLedgerReader(query, workspace, turn), turn, {
          since: since?.log,
          ...(ranges === undefined ? {} : { ranges }),
          ...(progress === undefined ? {} : { progress }),
          ...(options.blockLeaves === undefined ? {} : { blockLeaves: options.blockLeaves }),
          // A head that was altered may name fewer leaves than there are.
          onProgress: (part, done) => onProgress?.({ kind: 'progress', part, done, of: Math.max(size, done) }),
          onSound: (log) => (sound = log),
        });
        await kept?.end(sound);
        return { ...report, ...describeKept(since, kept) };
      } finally {
        kept?.close();
      }
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

/** What an earlier check has kept, as far as this one may use it. A server that only reads can keep nothing. */
async function openKept(
  pool: pg.Pool,
  workspace: Workspace,
  query: Query,
  { kept: how }: StoredCheckOptions,
): Promise<{ readonly since?: CheckStatement; readonly kept?: KeptCheck }> {
  if (how === undefined) return {};
  const checks = createKeptChecks(pool, workspace, how.now);
  const stated = how.isSince ? await checks.statement() : undefined;
  const since = stated !== undefined && (await holdsLog(query, workspace.id, stated.log)) ? stated : undefined;
  const [server] = await query<{ read_only: boolean }>('', 'select pg_is_in_recovery() as read_only', []);
  const kept = server?.read_only === true ? undefined : await checks.open(since);
  return { ...(since && { since }), ...(kept && { kept }) };
}

/** Whether the log holds one that was checked: the commit that ended it has its root, and the head goes on from it. */
async function holdsLog(query: Query, workspaceId: string, { rootHash, treeSize }: CheckedLog): Promise<boolean> {
  const [commit] = await query<{ root: Uint8Array }>(
    '',
    'select root from answer_evidence.ledger_commits where workspace_id = $1 and tree_size = $2',
    [workspaceId, treeSize],
  );
  return commit !== undefined && equalBytes(commit.root, parseHex(rootHash));
}

const NOT_LOOKED_AT =
  'the leaves, commits and tiles before it; records and evidence of those leaves of which no later one speaks; ' +
  'reconciliations completed there; rows that belong to no leaf';

function describeKept(
  since: CheckStatement | undefined,
  kept: KeptCheck | undefined,
): Pick<LedgerCheckReport, 'since' | 'taken_over'> {
  const takenOver = kept?.takenOver();
  return {
    ...(since !== undefined && {
      since: {
        tree_size: since.log.treeSize,
        root_hash: since.log.rootHash,
        checked_at: formatTimestamp(since.checkedAt),
        whole_at: formatTimestamp(since.wholeAt),
        not_looked_at: NOT_LOOKED_AT,
      },
    }),
    ...(takenOver !== undefined && {
      taken_over: { entries: takenOver.leaves, begun_at: formatTimestamp(takenOver.begunAt) },
    }),
  };
}
