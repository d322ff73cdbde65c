import { type HoldPlacedCore, type HoldReleasedCore, ServiceError } from '@answer-evidence/contracts';
import type { AppendCommand } from '../append-command.ts';
import { placeWorkspaceEntry } from './workspace-entry.ts';

/**
 * Puts records on hold, or says why not. Prepared when `core.version - 1` holds had been placed, and again when another
 * one came first.
 */
export function createPlaceHoldCommand(
  workspaceId: string,
  placed: number,
  core: HoldPlacedCore | ServiceError,
): AppendCommand {
  return createHoldCommand(workspaceId, 'hold_placed', placed, core);
}

/**
 * Releases a hold, or says why not. Prepared when `released` holds had been released, and again when another release
 * came first: of two of one hold, the second is refused.
 */
export function createReleaseHoldCommand(
  workspaceId: string,
  released: number,
  core: HoldReleasedCore | ServiceError,
): AppendCommand {
  return createHoldCommand(workspaceId, 'hold_released', released, core);
}

function createHoldCommand(
  workspaceId: string,
  type: 'hold_placed' | 'hold_released',
  known: number,
  core: HoldPlacedCore | HoldReleasedCore | ServiceError,
): AppendCommand {
  const placed =
    core instanceof ServiceError ? undefined : placeWorkspaceEntry(workspaceId, { type, seq: known + 1, core });
  return {
    subject: workspaceId,
    entryIds: placed === undefined ? [] : [placed.entry.id],
    settingsVersion: null,
    reads: { series: type },
    sizeBytes: 1_000 + JSON.stringify(core).length,
    decide(view) {
      if (view.lastOf(type) !== known) return { kind: 'reprepare' };
      if (placed === undefined) return { kind: 'refuse', error: core as ServiceError };
      return { kind: 'append', entries: [placed.entry], writes: [placed.write] };
    },
  };
}
