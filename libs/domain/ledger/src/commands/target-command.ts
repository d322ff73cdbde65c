import { type NotificationTargetCore, ServiceError } from '@answer-evidence/contracts';
import type { JobRow, TargetRow, TargetStateRow } from '@answer-evidence/tables';
import type { AppendCommand, Write } from '../append-command.ts';
import { createSeriesCommand } from './series-command.ts';

/** A change of a target: its entry, and what its rows are afterwards. Their times are those of the entry. */
export type TargetChange = {
  readonly core: NotificationTargetCore;
  readonly row: Omit<TargetRow, 'created_at' | 'removed_at'> & { readonly created_at: number | null };
  /** Left out: it stays in the state that it is in. */
  readonly state?: Pick<TargetStateRow, 'state' | 'reason'> | undefined;
  /** What delivers to it, where something may wait. */
  readonly job?: JobRow | undefined;
};

/** Changes a target, or says why not; prepared from the version `knownVersion` of all targets together. */
export function createTargetCommand(
  workspaceId: string,
  knownVersion: number,
  change: TargetChange | ServiceError,
): AppendCommand {
  const isRefused = change instanceof ServiceError;
  const core = isRefused ? change : change.core;
  return createSeriesCommand(workspaceId, 'notification_target_changed', knownVersion, core, {
    sizeBytes: 6_000,
    writes: ({ at }) => (isRefused ? [] : writesOf(change, at)),
  });
}

function writesOf({ core, row, state, job }: TargetChange, at: number): readonly Write[] {
  const removedAt = core.change === 'removed' ? at : null;
  const stored = { ...row, created_at: row.created_at ?? at, removed_at: removedAt };
  const writes: Write[] = [{ kind: 'replace', table: 'notification_targets', row: stored }];
  if (state !== undefined)
    writes.push({
      kind: 'replace',
      table: 'notification_states',
      row: {
        target_id: row.id,
        ...state,
        changed_at: at,
        failing_since: null,
        failures: 0,
        paused_until: 0,
        leased_until: 0,
        wake_at: 0,
      },
    });
  if (job !== undefined) writes.push({ kind: 'insert', table: 'outbox', row: job });
  return writes;
}
