import { holdsOver } from '@answer-evidence/lifecycle';
import { createExpirySweep, type DueContents, type HoldsInForce, type Ticker } from '@answer-evidence/ports';
import type { IngestDeps } from '../deps.ts';
import { NothingDueError, prepareExpiry, readRetentionEnd } from '../prepare/prepare-expiry.ts';

/** Expires texts and items whose retention has passed. */
export function expireTextsTicker(deps: IngestDeps): Ticker {
  type Act = typeof settle;
  const ofRecords = (act: Act) => (workspaceId: string, due: readonly DueContents[]) =>
    [...Map.groupBy(due, ({ recordId }) => recordId)].map(([id, contents]) => act(deps, workspaceId, id, contents));
  return createExpirySweep(deps, {
    what: 'texts',
    store: deps.retention,
    holding: {
      holds: deps.holds,
      contents: deps.retention,
      find: (workspaceId, inForce, due) => findHeld(deps, workspaceId, inForce, due),
      idOf: ({ objectId }) => objectId,
    },
    postpone: ofRecords(postponeExtended),
    settle: ofRecords(settle),
  });
}

/** Those of the contents whose records a hold covers. */
async function findHeld(
  deps: IngestDeps,
  workspaceId: string,
  { holds }: HoldsInForce,
  due: readonly DueContents[],
): Promise<ReadonlySet<DueContents>> {
  const records = await deps.holds.records(workspaceId, [...new Set(due.map(({ recordId }) => recordId))]);
  const held = new Set(records.filter((record) => holdsOver(holds, [record]).length > 0).map(({ id }) => id));
  return new Set(due.filter(({ recordId }) => held.has(recordId)));
}

/** Puts off contents that were extended since they were sealed; returns whether there is anything to expire. */
async function postponeExtended(
  deps: IngestDeps,
  workspaceId: string,
  recordId: string,
  contents: readonly DueContents[],
): Promise<boolean> {
  const stored = await deps.records.find(workspaceId, recordId);
  if (stored === undefined) return false;
  const end = readRetentionEnd(stored);
  if (end < deps.clock.nowMicros()) return true;
  // The end never comes nearer, so they cannot be looked at too late.
  for (const { objectId } of contents) await deps.retention.postpone(workspaceId, objectId, end);
  return false;
}

async function settle(
  deps: IngestDeps,
  workspaceId: string,
  recordId: string,
  contents: readonly DueContents[],
): Promise<boolean> {
  if (!(await postponeExtended(deps, workspaceId, recordId, contents))) return false;
  try {
    await deps.ledger.append(workspaceId, () => prepareExpiry(deps, workspaceId, recordId));
  } catch (error) {
    if (!(error instanceof NothingDueError)) throw error;
  }
  return true;
}
