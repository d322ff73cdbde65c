import type { ReconciliationReader } from '@answer-evidence/audit';
import type { WorkspaceVault } from '@answer-evidence/ports';
import {
  RUN_FINDINGS,
  RUN_REFERENCES,
  RUN_STATES,
  type RunReferenceRow,
  RUNS,
  type RunStateRow,
} from '@answer-evidence/tables';
import { readTable } from '../rows/read-table.ts';
import { isMacValid } from '../rows/row-macs.ts';
import { select } from '../rows/rows.ts';
import type { Query } from '../session.ts';
import { readRecordLines } from './record-lines.ts';

/** What a ledger check reads of reconciliations, within the snapshot that `query` belongs to. */
export function createReconciliationReader(
  query: Query,
  workspaceId: string,
  vault: WorkspaceVault,
): ReconciliationReader {
  return {
    async *reconciliations() {
      for await (const runs of readTable(query, workspaceId, RUNS)) {
        const rows = await query<RunStateRow>(
          'check_run_states',
          `select ${select('s', RUN_STATES)} from answer_evidence.reconciliation_states s
             where s.workspace_id = $1 and s.run_id = any($2::uuid[])`,
          [workspaceId, runs.map(({ id }) => id)],
        );
        const states = new Map(rows.map((row) => [row.run_id, row]));
        yield runs.map((run) => ({ run, state: states.get(run.id), isMacValid: isMacValid(vault, RUNS, run) }));
      }
    },
    referencesOf: (runId) =>
      query<RunReferenceRow>(
        'check_references',
        `select ${select('f', RUN_REFERENCES)} from answer_evidence.reconciliation_references f
           where f.workspace_id = $1 and f.run_id = $2 order by f.position`,
        [workspaceId, runId],
      ),
    recordLinesOf: (runId) => readRecordLines((read) => read(query), workspaceId, runId),
    findingsOf: (runId) => readTable(query, workspaceId, RUN_FINDINGS, { of: [runId] }),
  };
}
