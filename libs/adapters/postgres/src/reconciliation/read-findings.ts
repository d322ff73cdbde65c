import { reconciliationFinding } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import {
  type PlacedFinding,
  type RunAboutRecord,
  StoredDamageError,
  type WorkspaceVault,
} from '@answer-evidence/ports';
import { RUN_FINDINGS, type RunFindingRow } from '@answer-evidence/tables';
import { select } from '../rows/rows.ts';
import type { Query } from '../session.ts';
import { readRuns } from './read-runs.ts';

/** What a completed run found about a record. Throws `StoredDamageError`, which names the run. */
export async function readAbout(
  query: Query,
  workspaceId: string,
  vault: WorkspaceVault,
  runId: string,
  recordId: string,
): Promise<RunAboutRecord> {
  const [stored] = await readRuns(query, workspaceId, vault, 'and r.id = $2', [runId]);
  if (stored?.completion === undefined) throw new StoredDamageError(`the row of the run ${runId} is gone`);
  const rows = await query<RunFindingRow>(
    'reconcile_findings_about',
    `select ${select('g', RUN_FINDINGS)} from answer_evidence.reconciliation_findings g
       where g.workspace_id = $1 and g.run_id = $2 and (g.answer_log_id = $3
         or g.type = 'duplicate_service' and g.detail_json like '%"first_answer_log_id":"' || $3::uuid || '"%')
       order by g.position`,
    [workspaceId, runId, recordId],
  );
  const findings = rows.map((row) => placedFinding(row).finding);
  return { runId, treeSize: stored.completion.core.snapshot.tree_size, findings };
}

/** The finding of a row. Throws `StoredDamageError`, which names the run, when it is not one. */
export function placedFinding(row: RunFindingRow): PlacedFinding {
  try {
    const finding = reconciliationFinding.parse({
      type: row.type,
      reference_id: row.reference_id,
      answer_log_id: row.answer_log_id,
      detail: parseJsonText(row.detail_json),
    });
    return { position: row.position, finding };
  } catch (error) {
    throw new StoredDamageError(`a finding of the run ${row.run_id} is not what was written`, { cause: error });
  }
}
