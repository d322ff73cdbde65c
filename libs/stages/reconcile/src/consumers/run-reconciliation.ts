import { actor, type Job, type ReconciliationCore, runCounts } from '@answer-evidence/contracts';
import { formatHex, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import { createReconciliationCommand, readRoot } from '@answer-evidence/ledger';
import {
  type Consumer,
  newCoreIdentity,
  newId,
  StoredDamageError,
  type StoredRun,
  type Workspace,
} from '@answer-evidence/ports';
import { formatFindingLine, hashLines, hashReferences } from '@answer-evidence/reconciliation';
import type { RunStateRow } from '@answer-evidence/tables';
import type { ReconcileDeps } from '../deps.ts';
import { nameDamage } from '../name-damage.ts';

const RUNS_AT_ONCE = 2;
const FINDINGS_AT_ONCE = 250;
/** How far a run has come, in percent, when it has begun, when it is decided, and when its roots are known. */
const PROGRESS = { begun: 5, decided: 60, hashed: 90 } as const;

/**
 * Compares the list of a run with the records. Each step is durable before the next: what the run speaks of is fixed,
 * then it is decided and everything about that stored at once, then one entry completes it. So the job can run as often
 * as it likes, be killed anywhere, and comes to the same findings and one entry.
 */
export function runReconciliationConsumer(deps: ReconcileDeps): Consumer {
  return {
    topic: 'reconcile.run',
    concurrency: RUNS_AT_ONCE,
    // A run whose rows are damaged fails at once, and says which they are.
    run: (job, signal) => nameDamage(() => run(deps, job, signal)),
  };
}

async function run(deps: ReconcileDeps, job: Job, signal: AbortSignal): Promise<void> {
  const { workspaceId, runId } = subjectOf(job);
  const stored = await deps.reconciliations.find(workspaceId, runId);
  if (stored === undefined || stored.completion !== undefined) return;
  const workspace = await deps.directory.get(workspaceId);
  const begun = await begin(deps, workspace, runId);
  signal.throwIfAborted();
  const decided = await decide(deps, workspace, begun);
  signal.throwIfAborted();
  await complete(deps, workspace, stored, decided);
}

function subjectOf(job: Job) {
  if (job.workspace_id === null || job.subject === null) throw new Error('a run job must name a workspace and a run');
  return { workspaceId: job.workspace_id, runId: job.subject };
}

async function begin(
  { logs, checkpoints, clock, reconciliations }: ReconcileDeps,
  workspace: Workspace,
  runId: string,
) {
  // The clock is read before the head: what is not called provisional by this time can no longer come in time, but for
  // a batch that is being committed at this very moment. Anyone who runs it again finds that one.
  const startedAt = clock.nowMicros();
  const { head } = await logs.snapshot(workspace.id);
  const anchoredSize = await checkpoints.anchoredSize(workspace, head.tree_size);
  const start = { startedAt, treeSize: head.tree_size, anchoredSize };
  const state = await reconciliations.begin(workspace.id, runId, start);
  await reconciliations.reportProgress(workspace.id, runId, PROGRESS.begun);
  return state;
}

async function decide(deps: ReconcileDeps, workspace: Workspace, state: RunStateRow): Promise<RunStateRow> {
  const { reconciliations } = deps;
  if (state.entry_id === null) await reconciliations.decide(workspace.id, state.run_id, newId(deps));
  await reconciliations.reportProgress(workspace.id, state.run_id, PROGRESS.decided);
  const decided = await reconciliations.find(workspace.id, state.run_id);
  if (decided === undefined) throw new StoredDamageError(`the run ${state.run_id} is gone`);
  return decided.state;
}

async function complete(
  deps: ReconcileDeps,
  workspace: Workspace,
  { run }: StoredRun,
  state: RunStateRow,
): Promise<void> {
  const { reconciliations, logs, ledger, turn } = deps;
  const { entry_id: entryId, counts_json: counts, started_at: startedAt, tree_size: treeSize } = state;
  if (entryId === null || counts === null || startedAt === null || treeSize === null)
    throw new StoredDamageError(`the run ${run.id} was decided and has no decision`);
  // An append whose outcome nobody has heard.
  if ((await logs.findLeaf(workspace.id, workspace.id, entryId)) !== undefined) return;
  const references = await hashReferences(await reconciliations.references(workspace.id, run.id), turn);
  if (references.root !== formatHex(run.references_root))
    throw new StoredDamageError(`the references of the run ${run.id} differ from those that were sent`);
  const records = await hashLines(reconciliations.recordLines(workspace.id, run.id), turn);
  const findings = await hashLines(findingLines(deps, workspace, run.id), turn);
  await reconciliations.reportProgress(workspace.id, run.id, PROGRESS.hashed);
  const { nodes } = await logs.snapshot(workspace.id);
  const core: ReconciliationCore = {
    ...newCoreIdentity(deps),
    id: entryId,
    run_id: run.id,
    application_key: run.application_key,
    environment: run.environment,
    window_start: formatTimestamp(run.window_start),
    window_end: formatTimestamp(run.window_end),
    match_on: run.match_on,
    max_lateness_seconds: run.max_lateness_seconds,
    requested_by: actor.parse(parseJsonText(run.created_by_json)),
    requested_at: formatTimestamp(run.created_at),
    decided_at: formatTimestamp(startedAt),
    snapshot: { tree_size: treeSize, root_hash: formatHex(await readRoot(nodes, treeSize)) },
    anchored_tree_size: state.anchored_size,
    references,
    records,
    findings,
    counts: runCounts.parse(parseJsonText(counts)),
  };
  await ledger.append(workspace.id, () => createReconciliationCommand(workspace.id, core));
}

/** The lines of all findings of a run, as they are stored. */
async function* findingLines(
  { reconciliations }: ReconcileDeps,
  workspace: Workspace,
  runId: string,
): AsyncGenerator<string> {
  for (let from = 0; ;) {
    const found = await reconciliations.findings(workspace.id, runId, { from, offset: 0, limit: FINDINGS_AT_ONCE });
    const last = found.at(-1);
    if (last === undefined) return;
    for (const { finding } of found) yield formatFindingLine(finding);
    from = last.position + 1;
  }
}
