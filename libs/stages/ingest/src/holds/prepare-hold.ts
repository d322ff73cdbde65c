import {
  type Actor,
  HOLD_RECORDS_MAX,
  type HoldPlacedCore,
  type HoldReleasedCore,
  HOLDS_MAX,
  type PlaceHoldRequest,
  type ReleaseHoldRequest,
  ServiceError,
} from '@answer-evidence/contracts';
import { type AppendCommand, createPlaceHoldCommand, createReleaseHoldCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { readWindow } from '@answer-evidence/routes';
import type { IngestDeps } from '../deps.ts';

type Deps = Pick<IngestDeps, 'holds' | 'clock' | 'random'>;

/** What is to be held, with its times read and its records known. Throws `record_not_found` and `schema_violation`. */
export async function readPlacement(
  { holds }: Pick<IngestDeps, 'holds'>,
  workspaceId: string,
  { filters, answer_log_ids: asked, ...request }: PlaceHoldRequest,
): Promise<PlaceHoldRequest> {
  if (filters !== undefined) return { ...request, filters: readWindow(filters, 'created', '/filters/') };
  const ids = (asked ?? []).map((id) => id.toLowerCase());
  const known = new Set((await holds.records(workspaceId, [...new Set(ids)])).map(({ id }) => id));
  const errors = ids.flatMap((id, n) =>
    known.has(id) ? [] : [{ pointer: `/answer_log_ids/${n}`, detail: 'must be a record of this workspace' }],
  );
  if (errors.length > 0) throw new ServiceError('record_not_found', 'a record does not exist', { errors });
  return { ...request, answer_log_ids: [...known].toSorted().slice(0, HOLD_RECORDS_MAX) };
}

/** The hold as it goes to the log, on top of those that there are. */
export async function prepareHold(
  deps: Deps,
  workspaceId: string,
  placement: PlaceHoldRequest,
  actor: Actor,
): Promise<AppendCommand> {
  const { placed, holds } = await deps.holds.inForce(workspaceId);
  const full = `a workspace may have at most ${HOLDS_MAX} holds in force; release one first`;
  if (holds.length >= HOLDS_MAX)
    return createPlaceHoldCommand(workspaceId, placed, new ServiceError('limit_reached', full));
  const core = { ...newCoreIdentity(deps), version: placed + 1, ...placement, actor };
  // What was left out is not a member of the core.
  return createPlaceHoldCommand(workspaceId, placed, withoutAbsent(core));
}

/** The release of a hold as it goes to the log, on top of those that there are. Throws `not_found`. */
export async function prepareRelease(
  deps: Deps,
  workspaceId: string,
  holdId: string,
  { reason }: ReleaseHoldRequest,
  actor: Actor,
): Promise<AppendCommand> {
  // In this order: a release after the first read makes the second one see that the hold is gone.
  const { released, holds } = await deps.holds.inForce(workspaceId);
  const found = holds.find(({ id }) => id === holdId);
  if (found === undefined) {
    if ((await deps.holds.find(workspaceId, holdId)) === undefined) throw noHold();
    const gone = new ServiceError('hold_released', 'the hold was released before; read it for when and why');
    return createReleaseHoldCommand(workspaceId, released, gone);
  }
  const core: HoldReleasedCore = {
    ...newCoreIdentity(deps),
    version: released + 1,
    hold_id: holdId,
    matter: found.matter,
    reason,
    actor,
  };
  return createReleaseHoldCommand(workspaceId, released, core);
}

/** That there is no such hold. */
export function noHold(): ServiceError {
  return new ServiceError('not_found', 'no such hold exists in this workspace; check its id');
}

function withoutAbsent({
  filters,
  answer_log_ids: ids,
  ...core
}: PlaceHoldRequest & Omit<HoldPlacedCore, 'filters' | 'answer_log_ids'>): HoldPlacedCore {
  return {
    ...core,
    ...(filters === undefined ? {} : { filters }),
    ...(ids === undefined ? {} : { answer_log_ids: ids }),
  };
}
