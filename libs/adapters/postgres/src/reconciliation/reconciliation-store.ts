import type pg from 'pg';
import { ServiceError } from '@answer-evidence/contracts';
import {
  type Clock,
  newId,
  type RandomSource,
  type ReconciliationStore,
  StoredDamageError,
  type StoredRun,
  type WorkspaceDirectory,
  type WorkspaceVault,
} from '@answer-evidence/ports';
import {
  OUTBOX,
  RUN_FINDINGS,
  RUN_REFERENCES,
  RUN_STATES,
  type RunFindingRow,
  type RunReferenceRow,
  type RunRow,
  RUNS,
  type RunStateRow,
  type Table,
} from '@answer-evidence/tables';
import { formatInserts } from '../append/insert-rows.ts';
import { constraintOf, sqlState } from '../failures.ts';
import { countRows } from '../rows/count-rows.ts';
import { macOfRow } from '../rows/row-macs.ts';
import { select } from '../rows/rows.ts';
import { type Query, readRow, readRows, readWorkspace, writeRows, writeWorkspace } from '../session.ts';
import { decideRun, DECIDING, formatCounts } from './decide-run.ts';
import { placedFinding, readAbout } from './read-findings.ts';
import { readRuns } from './read-runs.ts';
import { readRecordLines } from './record-lines.ts';

/** Of the advisory locks under which runs are decided. */
const LOCK_CLASS = 4_171_940;
const IDEMPOTENCY_INDEX = 'reconciliation_runs_idempotency';

/** Reconciliations on PostgreSQL. `onJobs` is called when a run has been kept. */
export function createReconciliationStore(deps: {
  readonly pool: pg.Pool;
  readonly directory: WorkspaceDirectory;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly onJobs: () => void;
  /** Resolves when long work may go on. */
  readonly turn: () => Promise<void>;
}): ReconciliationStore {
  const { pool, directory } = deps;
  const vaultOf = async (workspaceId: string) => (await directory.get(workspaceId)).vault;

  return {
    async create(workspaceId, unsigned, references) {
      const vault = await vaultOf(workspaceId);
      const run: RunRow = { ...unsigned, mac: macOfRow(vault, RUNS, unsigned) };
      try {
        await writeWorkspace(pool, workspaceId, async (query) => {
          await insert(query, RUNS, workspaceId, [run]);
          await insertReferences(query, workspaceId, run.id, references);
          const state: RunStateRow = { ...NOT_BEGUN, run_id: run.id };
          await insert(query, RUN_STATES, workspaceId, [state]);
          const job = {
            id: newId(deps),
            topic: 'reconcile.run' as const,
            subject: run.id,
            created_at: run.created_at,
            due_at: run.created_at,
          };
          await insert(query, OUTBOX, workspaceId, [job]);
        });
      } catch (error) {
        if (sqlState(error) !== '23505' || constraintOf(error) !== IDEMPOTENCY_INDEX) throw error;
        return { stored: await getByKey(pool, workspaceId, vault, run), isReplayed: true };
      }
      deps.onJobs();
      const state = { ...NOT_BEGUN, run_id: run.id };
      return { stored: { run, state, completion: undefined, failure: undefined }, isReplayed: false };
    },

    async find(workspaceId, runId) {
      const vault = await vaultOf(workspaceId);
      const [run] = await readWorkspace(pool, workspaceId, (query) =>
        readRuns(query, workspaceId, vault, 'and r.id = $2', [runId]),
      );
      return run;
    },

    async list(workspaceId, filters, { beforeId, offset, limit }) {
      const vault = await vaultOf(workspaceId);
      const { applications = null, environments = null } = filters.within ?? {};
      const values = [filters.application_key ?? null, filters.environment ?? null, applications, environments];
      return readWorkspace(pool, workspaceId, async (query) => {
        const runs = await readRuns(
          query,
          workspaceId,
          vault,
          `${FILTER} and ($6::uuid is null or r.id < $6) order by r.id desc limit $7 offset $8`,
          [...values, beforeId ?? null, limit, offset],
        );
        const from = `from answer_evidence.reconciliation_runs r where r.workspace_id = $1 ${FILTER}`;
        return { items: runs, ...(await countRows(query, 'reconcile_count', from, [workspaceId, ...values])) };
      });
    },

    begin: (workspaceId, runId, { startedAt, treeSize, anchoredSize }) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        await query(
          'reconcile_begin',
          `update answer_evidence.reconciliation_states
             set status = 'running', started_at = $3, tree_size = $4, anchored_size = $5
             where workspace_id = $1 and run_id = $2 and started_at is null`,
          [workspaceId, runId, startedAt, treeSize, anchoredSize],
        );
        return getState(query, workspaceId, runId);
      }),

    async reportProgress(workspaceId, runId, percent) {
      await writeRows(
        pool,
        'reconcile_report',
        `update answer_evidence.reconciliation_states set progress = $3
             where workspace_id = $1 and run_id = $2 and status <> 'completed'`,
        [workspaceId, runId, percent],
      );
    },

    async decide(workspaceId, runId, entryId) {
      const vault = await vaultOf(workspaceId);
      await writeWorkspace(
        pool,
        workspaceId,
        async (query) => {
          // Held to the end of the transaction, and so of whatever a killed worker left running in the database.
          const [lock] = await query<{ got: boolean }>(
            'reconcile_lock',
            'select pg_try_advisory_xact_lock($1, hashtext($2)) as got',
            [LOCK_CLASS, runId],
          );
          if (lock?.got !== true)
            throw new ServiceError('overloaded', 'another process is deciding this run; retry the same request', {
              remedy: 'retry',
            });
          const state = await getState(query, workspaceId, runId);
          if (state.entry_id !== null) return;
          const counts = await decideRun(query, workspaceId, vault, state, deps.turn);
          await query(
            'reconcile_decided',
            `update answer_evidence.reconciliation_states set counts_json = $3, entry_id = $4
               where workspace_id = $1 and run_id = $2`,
            [workspaceId, runId, formatCounts(counts), entryId],
          );
        },
        DECIDING,
      );
    },

    references: (workspaceId, runId) =>
      readRows<RunReferenceRow>(
        pool,
        'reconcile_references',
        `select ${select('f', RUN_REFERENCES)} from answer_evidence.reconciliation_references f
             where f.workspace_id = $1 and f.run_id = $2 order by f.position`,
        [workspaceId, runId],
      ),

    recordLines: (workspaceId, runId) =>
      readRecordLines((read) => readWorkspace(pool, workspaceId, read), workspaceId, runId),

    async findings(workspaceId, runId, { type, from, offset, limit }) {
      const rows = await readRows<RunFindingRow>(
        pool,
        type === undefined ? 'reconcile_findings' : 'reconcile_findings_of',
        `select ${select('g', RUN_FINDINGS)} from answer_evidence.reconciliation_findings g
             where g.workspace_id = $1 and g.run_id = $2 and g.position >= $3 ${type === undefined ? '' : 'and g.type = $6'}
             order by g.position limit $4 offset $5`,
        [workspaceId, runId, from, limit, offset, ...(type === undefined ? [] : [type])],
      );
      return rows.map(placedFinding);
    },

    async findAbout(workspaceId, recordId) {
      const vault = await vaultOf(workspaceId);
      return readWorkspace(pool, workspaceId, async (query) => {
        // One whose entry cannot be found may be the newest, so it comes first, and is damage.
        const [newest] = await query<{ run_id: string }>(
          'reconcile_run_about',
          `select s.run_id from answer_evidence.reconciliation_records c
             join answer_evidence.reconciliation_states s on s.workspace_id = $1 and s.run_id = c.run_id
               and s.status = 'completed'
             left join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.subject = $1 and l.id = s.entry_id
             where c.workspace_id = $1 and c.record_id = $2 order by l.leaf_index desc nulls first limit 1`,
          [workspaceId, recordId],
        );
        return newest === undefined ? undefined : readAbout(query, workspaceId, vault, newest.run_id, recordId);
      });
    },

    async backlog(workspaceId) {
      const row = await readRow<{ runs: number; oldest_at: number | null }>(
        pool,
        'reconcile_backlog',
        `select count(*) as runs, min(r.created_at) as oldest_at from answer_evidence.reconciliation_states s
             join answer_evidence.reconciliation_runs r on r.workspace_id = $1 and r.id = s.run_id
             where s.workspace_id = $1 and s.status <> 'completed' and not exists (
               select from (select x.subject from answer_evidence.dead_letters x where x.workspace_id = $1
                   and x.topic = 'reconcile.run' and x.replayed_at is null offset 0) g where g.subject = s.run_id)`,
        [workspaceId],
      );
      return { runs: row?.runs ?? 0, oldestAt: row?.oldest_at ?? undefined };
    },
  };
}

const NOT_BEGUN = {
  status: 'queued',
  progress: 0,
  started_at: null,
  tree_size: null,
  anchored_size: null,
  counts_json: null,
  entry_id: null,
} as const;

const FILTER = `and ($2::text is null or r.application_key = $2) and ($3::text is null or r.environment = $3)
  and ($4::text[] is null or r.application_key = any($4)) and ($5::text[] is null or r.environment = any($5))`;

/** In one statement, however many there are. */
async function insert<Row>(query: Query, table: Table<Row>, workspaceId: string, rows: readonly Row[]): Promise<void> {
  for (const { name, text, values } of formatInserts(table, workspaceId, rows)) await query(name, text, values);
}

async function insertReferences(
  query: Query,
  workspaceId: string,
  runId: string,
  references: Parameters<ReconciliationStore['create']>[2],
): Promise<void> {
  for (let from = 0; from < references.length; from += REFERENCES_AT_ONCE)
    await insertSome(query, workspaceId, runId, from, references.slice(from, from + REFERENCES_AT_ONCE));
}

/** Binding the values of a statement holds up everything else. */
const REFERENCES_AT_ONCE = 500;
/** In no id, which has no control characters, and in no hash. A text is bound many times as fast as an array. */
const SEPARATOR = '\u001f';

async function insertSome(
  query: Query,
  workspaceId: string,
  runId: string,
  from: number,
  references: Parameters<ReconciliationStore['create']>[2],
): Promise<void> {
  await query(
    'reconcile_insert_references',
    `insert into answer_evidence.reconciliation_references
       (workspace_id, run_id, position, reference_id, occurred_at, question_hash, answer_hash)
       select $1, $2, $7 + n - 1, f.reference_id, f.occurred_at, f.question_hash, f.answer_hash
         from unnest(string_to_array($3, $8), string_to_array($4, $8)::bigint[], string_to_array($5, $8, ''),
           string_to_array($6, $8, '')) with ordinality as f (reference_id, occurred_at, question_hash, answer_hash, n)`,
    [
      workspaceId,
      runId,
      references.map((reference) => reference.reference_id).join(SEPARATOR),
      references.map((reference) => reference.occurred_at).join(SEPARATOR),
      references.map((reference) => reference.question_hash ?? '').join(SEPARATOR),
      references.map((reference) => reference.answer_hash ?? '').join(SEPARATOR),
      from,
      SEPARATOR,
    ],
  );
}

async function getByKey(pool: pg.Pool, workspaceId: string, vault: WorkspaceVault, run: RunRow): Promise<StoredRun> {
  const [stored] = await readWorkspace(pool, workspaceId, (query) =>
    readRuns(query, workspaceId, vault, 'and r.application_key = $2 and r.idempotency_key = $3', [
      run.application_key,
      run.idempotency_key,
    ]),
  );
  if (stored === undefined) throw new StoredDamageError('the run of an idempotency key is gone');
  return stored;
}

async function getState(query: Query, workspaceId: string, runId: string): Promise<RunStateRow> {
  const [state] = await query<RunStateRow>(
    'reconcile_state',
    `select ${select('s', RUN_STATES)} from answer_evidence.reconciliation_states s
       where s.workspace_id = $1 and s.run_id = $2`,
    [workspaceId, runId],
  );
  if (state === undefined) throw new ServiceError('not_found', 'no such run exists in this workspace; check its id');
  return state;
}
