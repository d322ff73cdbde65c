import type { ReconciliationCore } from '@answer-evidence/contracts';
import type { AppendCommand } from '../append-command.ts';
import { placeWorkspaceEntry } from './workspace-entry.ts';

/**
 * Completes a run: appends its entry and changes its state in one transaction. The entry's id was fixed with the
 * decision, and a log contains an id only once, so a second attempt fails instead of adding a second entry.
 */
export function createReconciliationCommand(workspaceId: string, core: ReconciliationCore): AppendCommand {
  const { entry, write } = placeWorkspaceEntry(workspaceId, { type: 'reconciliation_completed', seq: 0, core });
  return {
    subject: workspaceId,
    entryIds: [entry.id],
    settingsVersion: null,
    reads: {},
    sizeBytes: 4_000,
    decide: () => ({
      kind: 'append',
      entries: [entry],
      writes: [write, { kind: 'complete_run', runId: core.run_id, entryId: entry.id }],
    }),
  };
}
