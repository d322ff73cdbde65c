import { ServiceError } from '@answer-evidence/contracts';
import type { AppendCommand, LogState, Write } from '../append-command.ts';
import { placeWorkspaceEntry, type WorkspaceEntry } from './workspace-entry.ts';

/** What an entry of a series brings with it. */
type Beside = { readonly sizeBytes: number; readonly writes?: (view: LogState) => readonly Write[] };

/**
 * Appends the next entry of a series, or says why not. Prepared when the newest of the series had the number `known`,
 * and again when another one came first.
 */
export function createSeriesCommand(
  workspaceId: string,
  type: WorkspaceEntry['type'],
  known: number,
  core: WorkspaceEntry['core'] | ServiceError,
  { sizeBytes, writes = () => [] }: Beside,
): AppendCommand {
  const placed = core instanceof ServiceError ? core : placeWorkspaceEntry(workspaceId, { type, seq: known + 1, core });
  return {
    subject: workspaceId,
    entryIds: placed instanceof ServiceError ? [] : [placed.entry.id],
    settingsVersion: null,
    reads: { series: type },
    sizeBytes,
    decide(view) {
      if (view.lastOf(type) !== known) return { kind: 'reprepare' };
      if (placed instanceof ServiceError) return { kind: 'refuse', error: placed };
      return { kind: 'append', entries: [placed.entry], writes: [placed.write, ...writes(view)] };
    },
  };
}
