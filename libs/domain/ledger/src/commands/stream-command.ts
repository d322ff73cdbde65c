import { ServiceError, type StreamCore } from '@answer-evidence/contracts';
import type { StreamRow, StreamStateRow } from '@answer-evidence/tables';
import type { AppendCommand, LogState, Write } from '../append-command.ts';
import { createSeriesCommand } from './series-command.ts';

/** A change of a stream: its entry, and what its rows are afterwards. Their times are those of the entry. */
export type StreamChange = {
  readonly core: StreamCore;
  readonly row: Omit<StreamRow, 'created_at' | 'removed_at'> & { readonly created_at: number | null };
  readonly state: StreamStateRow['state'];
  /** Since when it is in this state; null: since now. */
  readonly stateSince: number | null;
  /** The first entry that it sends; for a stream that is there this changes nothing. */
  readonly from: 'now' | 'beginning';
};

/** Changes a stream, or says why not; prepared from the version `knownVersion` of all streams together. */
export function createStreamCommand(
  workspaceId: string,
  knownVersion: number,
  change: StreamChange | ServiceError,
): AppendCommand {
  const isRefused = change instanceof ServiceError;
  return createSeriesCommand(workspaceId, 'stream_changed', knownVersion, isRefused ? change : change.core, {
    sizeBytes: 70_000,
    writes: (view) => (isRefused ? [] : writesOf(change, view)),
  });
}

function writesOf({ core, row, state, stateSince, from }: StreamChange, { at, leafIndex }: LogState): readonly Write[] {
  const first = from === 'now' ? leafIndex : 0;
  return [
    {
      kind: 'replace',
      table: 'streams',
      row: { ...row, created_at: row.created_at ?? at, removed_at: core.change === 'removed' ? at : null },
    },
    // Whatever was changed may be what failed: it is tried at once, and a process that sends still as before stops.
    // The failure ends when its destination confirms, and not before.
    {
      kind: 'replace',
      table: 'stream_states',
      row: {
        stream_id: row.id,
        state,
        changed_at: stateSince ?? at,
        failing_since: null,
        failures: 0,
        last_error: null,
        paused_until: 0,
        leased_until: 0,
        tree_size: first,
        resume_size: first,
        resume_at: 0,
        confirmed_at: null,
      },
    },
  ];
}
