import type { LedgerReader } from '@answer-evidence/audit';
import type { WorkspaceVault } from '@answer-evidence/ports';
import {
  RUN_FINDINGS,
  RUN_REFERENCES,
  RUN_STATES,
  type RunFindingRow,
  type RunReferenceRow,
  RUNS,
} from '@answer-evidence/tables';
import type { Query } from '../session.ts';
import { isMacValid } from '../stores/row-macs.ts';
import { aliased, type JoinedRow, pick, select } from '../stores/rows.ts';
import { LINES_A_BATCH, readRecordLines } from './record-lines.ts';

const RUNS_A_BATCH = 200;
const FINDINGS_A_BATCH = 2_000;
const UUID_MIN = '00000000-0000-0000-0000-000000000000';
/** Before every place, also one that was made negative. */
const INTEGER_MIN = -2_147_483_648;

/** What a ledger check reads of reconciliations, within the snapshot that `query` belongs to. */
export function createReconciliationReader(
  query: Query,
  workspaceId: string,
  vault: WorkspaceVault,
): Pick<LedgerReader, 'reconciliations' | 'referencesOf' | 'recordLinesOf' | 'findingsOf'> {
  return {
    async *reconciliations() {
      for (let after = UUID_MIN; ;) {
        const rows = await query<JoinedRow>(
          'check_reconciliations',
          `select ${aliased('r', RUNS)}, ${aliased('s', RUN_STATES)} from answer_evidence.reconciliation_runs r
             left join answer_evidence.reconciliation_states s on s.workspace_id = $1 and s.run_id = r.id
             where r.workspace_id = $1 and r.id > $2 order by r.id limit ${RUNS_A_BATCH}`,
          [workspaceId, after],
        );
        yield rows.map((row) => {
          const run = pick(row, 'r', RUNS);
          const state = row.s_run_id === null ? undefined : pick(row, 's', RUN_STATES);
          return { run, state, isMacValid: isMacValid(vault, RUNS, run) };
        });
        const last = rows.at(-1);
        if (last === undefined || rows.length < RUNS_A_BATCH) return;
        after = String(last.r_id);
      }
    },
    referencesOf: (runId) =>
      query<RunReferenceRow>(
        'check_references',
        `select ${select('f', RUN_REFERENCES)} from answer_evidence.reconciliation_references f
           where f.workspace_id = $1 and f.run_id = $2 order by f.position`,
        [workspaceId, runId],
      ),
    async *recordLinesOf(runId) {
      for (let after = Number.MIN_SAFE_INTEGER; ;) {
        const lines = await readRecordLines(query, workspaceId, runId, after);
        yield lines.map(({ line }) => line);
        const last = lines.at(-1);
        if (last === undefined || lines.length < LINES_A_BATCH) return;
        after = last.leafIndex;
      }
    },
    async *findingsOf(runId) {
      for (let after = INTEGER_MIN; ;) {
        const rows = await query<RunFindingRow>(
          'check_findings',
          `select ${select('g', RUN_FINDINGS)} from answer_evidence.reconciliation_findings g
             where g.workspace_id = $1 and g.run_id = $2 and g.position > $3 order by g.position limit ${FINDINGS_A_BATCH}`,
          [workspaceId, runId, after],
        );
        yield rows;
        const last = rows.at(-1);
        if (last === undefined || rows.length < FINDINGS_A_BATCH) return;
        after = last.position;
      }
    },
  };
}
