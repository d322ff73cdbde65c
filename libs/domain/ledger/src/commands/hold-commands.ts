import type { HoldPlacedCore, HoldReleasedCore, ServiceError } from '@answer-evidence/contracts';
import type { AppendCommand } from '../append-command.ts';
import { createSeriesCommand } from './series-command.ts';

/** Puts records on hold, or says why not; prepared when `placed` holds had been placed. */
export function createPlaceHoldCommand(
  workspaceId: string,
  placed: number,
  core: HoldPlacedCore | ServiceError,
): AppendCommand {
  return createSeriesCommand(workspaceId, 'hold_placed', placed, core, sizeOf(core));
}

/**
 * Releases a hold, or says why not; prepared when `released` holds had been released: of two releases of one hold, the
 * second is refused.
 */
export function createReleaseHoldCommand(
  workspaceId: string,
  released: number,
  core: HoldReleasedCore | ServiceError,
): AppendCommand {
  return createSeriesCommand(workspaceId, 'hold_released', released, core, sizeOf(core));
}

function sizeOf(core: object) {
  return { sizeBytes: 1_000 + JSON.stringify(core).length };
}
