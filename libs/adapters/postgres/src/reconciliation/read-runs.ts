import { deadLetterReason, reconciliationCore } from '@answer-evidence/contracts';
import { StoredDamageError, type StoredRun, type WorkspaceVault } from '@answer-evidence/ports';
import { RUN_STATES, type RunRow, RUNS } from '@answer-evidence/tables';
import { readCore } from '../rows/read-core.ts';
import { authenticated } from '../rows/row-macs.ts';
import { aliased, type JoinedRow, LEAF_SELECT, leafOf, pick } from '../rows/rows.ts';
import type { Query } from '../session.ts';

/** Runs with their states, completions and failures; `rest` goes on after the workspace, with parameters from $2. */
export async function readRuns(
  query: Query,
  workspaceId: string,
  vault: WorkspaceVault,
  rest: string,
  values: readonly unknown[],
): Promise<readonly StoredRun[]> {
  const rows = await query<JoinedRow>(
    '',
    `select ${aliased('r', RUNS)}, ${aliased('s', RUN_STATES)}, ${LEAF_SELECT}, w.core_json, d.reason_code, d.reason_detail
       from answer_evidence.reconciliation_runs r
       join answer_evidence.reconciliation_states s on s.workspace_id = $1 and s.run_id = r.id
       left join answer_evidence.workspace_entries w on w.workspace_id = $1 and w.id = s.entry_id and s.status = 'completed'
       left join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.subject = $1 and l.id = w.id
       left join (
         select distinct on (g.subject) g.subject, g.reason_code, g.reason_detail from answer_evidence.dead_letters g
           where g.workspace_id = $1 and g.topic = 'reconcile.run' and g.replayed_at is null
           order by g.subject, g.failed_at desc) d on d.subject = r.id and s.status <> 'completed'
       where r.workspace_id = $1 ${rest}`,
    [workspaceId, ...values],
  );
  return rows.map((row) => storedRun(vault, row));
}

/** The run of a row. Throws `StoredDamageError`, which names the run. */
function storedRun(vault: WorkspaceVault, row: JoinedRow): StoredRun {
  try {
    return readRun(vault, row);
  } catch (error) {
    throw new StoredDamageError(`the run ${String(row.r_id)} is not what was written`, { cause: error });
  }
}

function readRun(vault: WorkspaceVault, row: JoinedRow): StoredRun {
  const [run] = authenticated(vault, RUNS, [pick(row, 'r', RUNS)]);
  if (run === undefined) throw new Error('one row in, one row out');
  const state = pick(row, 's', RUN_STATES);
  return {
    run,
    state,
    completion: state.status === 'completed' ? readCompletion(run, row) : undefined,
    failure:
      row.reason_code === null
        ? undefined
        : deadLetterReason.parse({ code: row.reason_code, detail: row.reason_detail }),
  };
}

function readCompletion(run: RunRow, row: JoinedRow): StoredRun['completion'] {
  if (typeof row.core_json !== 'string' || row.l_id === null)
    throw new StoredDamageError('the entry of a completed run is missing');
  const core = readCore(reconciliationCore, row.core_json, 'the core of a run');
  // Which entry completed a run stands in its state alone, and no MAC covers that.
  if (core.run_id !== run.id) throw new StoredDamageError('the entry of a completed run is that of another');
  return { core, leaf: leafOf(row) };
}
