import type { ApprovableAct } from '@answer-evidence/ports';
import type { IngestDeps } from '../deps.ts';
import { getStoredHold } from './get-stored-hold.ts';
import { prepareHold, prepareRelease, readPlacement } from './prepare-hold.ts';

type Deps = Pick<IngestDeps, 'holds' | 'clock' | 'random'>;

/** Holds that somebody asked for: over the records that they named, or that match from the approval on. */
export function createHoldAct(deps: Deps): ApprovableAct {
  return {
    async pin(workspace, { hold }) {
      if (hold === undefined) throw new TypeError('a hold is asked for');
      return { hold: await readPlacement(deps, workspace.id, hold) };
    },
    async prepare({ workspace, request: { hold }, requester }) {
      if (hold === undefined) throw new TypeError('a hold is asked for');
      return prepareHold(deps, workspace.id, hold, requester);
    },
  };
}

/** Releases of holds that somebody asked for. They fit while the hold is in force. */
export function createHoldReleaseAct(deps: Deps): ApprovableAct {
  return {
    async pin(workspace, { hold_release: release }) {
      if (release === undefined) throw new TypeError('the release of a hold is asked for');
      const { row } = await getStoredHold(deps, workspace.id, release.hold_id);
      return { hold_release: { ...release, hold_id: row.id } };
    },
    async prepare({ workspace, request: { hold_release: release }, requester }) {
      if (release === undefined) throw new TypeError('the release of a hold is asked for');
      const { hold_id: holdId, ...request } = release;
      return prepareRelease(deps, workspace.id, holdId, request, requester);
    },
  };
}
