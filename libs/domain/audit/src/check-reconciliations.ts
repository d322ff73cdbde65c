import type { ReconciliationCore } from '@answer-evidence/contracts';
import { canonicalize, formatHex, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import { hashLines, hashReferences } from '@answer-evidence/reconciliation';
import type { RunFindingRow, RunRow } from '@answer-evidence/tables';
import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import type { Findings } from './findings.ts';
import type { ReconciliationReader, StoredReconciliation } from './ledger-reader.ts';

/** Cores of `reconciliation_completed` by their runs. */
export type CompletedRuns = Map<string, { readonly core: ReconciliationCore; readonly leafIndex: number }>;

/**
 * Every run: its row's MAC, its references' root, and when completed, all of it against its entry, with roots anew. Of
 * runs that were completed before the leaf `since` only that they are there.
 */
export async function checkReconciliations(
  reader: ReconciliationReader,
  completed: CompletedRuns,
  since: number,
  findings: Findings,
): Promise<void> {
  const open = new Map(completed);
  await findings.guard({ check: 'reconciliation', object: 'runs', leafIndex: null }, async () => {
    for await (const batch of reader.reconciliations()) {
      for (const stored of batch) {
        const { run } = stored;
        const entry = open.get(run.id);
        open.delete(run.id);
        if (entry !== undefined && entry.leafIndex < since) continue;
        const place = { check: 'reconciliation', object: `run ${run.id}`, leafIndex: entry?.leafIndex ?? null };
        await findings.guard(place, () => checkRun(reader, stored, entry?.core, findings.turn));
      }
    }
  });
  for (const [id, { leafIndex }] of open)
    findings.add({ check: 'reconciliation', object: `run ${id}`, leafIndex }, 'its row is missing');
}

async function checkRun(
  reader: ReconciliationReader,
  { run, state, isMacValid }: StoredReconciliation,
  core: ReconciliationCore | undefined,
  turn: () => Promise<void>,
): Promise<void> {
  if (!isMacValid) throw new CheckFailure('the MAC of its row is invalid');
  if (state === undefined) throw new CheckFailure('its state is missing');
  const references = await reader.referencesOf(run.id);
  references.forEach(({ position }, n) => {
    assertSame('the place of a reference', n, position);
  });
  const set = await hashReferences(references, turn);
  assertSame('the number of its references', run.reference_count, set.size);
  assertSame('the root of its references', formatHex(run.references_root), set.root);
  assertSame('whether it is completed', String(core !== undefined), String(state.status === 'completed'));
  if (core === undefined) return;
  for (const [name, stated] of Object.entries(describeRun(run)))
    assertSame(`its ${name}`, canonicalize(core[name as keyof ReconciliationCore]), stated);
  assertSame('its progress', 100, state.progress);
  assertSame('its entry', core.id, state.entry_id ?? 'none');
  assertSame('its counts', canonicalize(core.counts), state.counts_json ?? 'none');
  assertSame('its start', core.decided_at, state.started_at === null ? 'none' : formatTimestamp(state.started_at));
  assertSame('the tree that it speaks of', core.snapshot.tree_size, state.tree_size ?? 'none');
  assertSame('what was anchored', core.anchored_tree_size ?? 'none', state.anchored_size ?? 'none');
  assertSame('its references', canonicalize(core.references), canonicalize(set));
  const records = await hashLines(reader.recordLinesOf(run.id), turn);
  assertSame('its record set', canonicalize(core.records), canonicalize(records));
  const found = await hashLines(findingLines(reader.findingsOf(run.id)), turn);
  assertSame('its findings', canonicalize(core.findings), canonicalize(found));
}

/** The lines of the findings of a run, which must have their places. */
async function* findingLines(batches: AsyncIterable<readonly RunFindingRow[]>): AsyncGenerator<string> {
  let next = 0;
  for await (const batch of batches)
    for (const row of batch) {
      assertSame('the place of a finding', next++, row.position);
      yield lineOf(row);
    }
}

/** What the row of a run says of the members of its core, as JCS. */
function describeRun(run: RunRow): Partial<Record<keyof ReconciliationCore, string>> {
  return {
    run_id: canonicalize(run.id),
    application_key: canonicalize(run.application_key),
    environment: canonicalize(run.environment),
    match_on: canonicalize(run.match_on),
    window_start: canonicalize(formatTimestamp(run.window_start)),
    window_end: canonicalize(formatTimestamp(run.window_end)),
    max_lateness_seconds: canonicalize(run.max_lateness_seconds),
    requested_by: run.created_by_json,
    requested_at: canonicalize(formatTimestamp(run.created_at)),
  };
}

/** The line of a finding with the detail as it is stored, which must be canonical for the root to hold. */
function lineOf({ type, reference_id, answer_log_id, detail_json }: RunFindingRow): string {
  const line = canonicalize({ type, reference_id, answer_log_id, detail: parseJsonText(detail_json) });
  if (!line.includes(`"detail":${detail_json},`)) throw new CheckFailure('the detail of a finding is not canonical');
  return line;
}
