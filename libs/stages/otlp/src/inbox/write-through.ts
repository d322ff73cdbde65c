import type { Workspace } from '@answer-evidence/ports';
import type { OtlpDeps } from '../deps.ts';
import { type AcceptedItem, placeOf } from './accepted-item.ts';
import { appendRecord } from './append-record.ts';

/** How many items of this process may be on their way into the ledger before more go into the inbox: half its queue. */
const UNDER_WAY_MAX = 2_048;

/**
 * Records what can be recorded now, and returns which items were. The others have to go into the inbox: those without a
 * record of their own, those whose key is used, and all while the ledger is contended or away. One that is still on its
 * way when the time is up may be recorded in the end; from the inbox it is found as that.
 */
type WriteThrough = (
  workspace: Workspace,
  settingsVersion: number,
  items: readonly AcceptedItem[],
) => Promise<ReadonlySet<AcceptedItem>>;

/** Writes through for one process. */
export function createWriteThrough(deps: OtlpDeps): WriteThrough {
  let underWay = 0;

  async function tryAppend(workspace: Workspace, settingsVersion: number, item: AcceptedItem): Promise<boolean> {
    underWay += 1;
    try {
      return await appendRecord(deps.ledger, workspace.id, item, settingsVersion);
    } catch {
      // Whatever it was, the inbox keeps the item, and its consumer meets the same fault and tells it.
      return false;
    } finally {
      underWay -= 1;
    }
  }

  return async (workspace, settingsVersion, items) => {
    const recorded = new Set<AcceptedItem>();
    const able = items.filter(({ record }) => record !== null);
    if (deps.otlpLedgerWaitMs === 0 || able.length === 0 || underWay + able.length > UNDER_WAY_MAX) return recorded;
    const appends = able.map(async (item) => {
      if (await tryAppend(workspace, settingsVersion, item)) recorded.add(item);
    });
    await settledWithin(appends, deps.otlpLedgerWaitMs, deps.pause);
    // What comes after the time belongs to the inbox.
    const inTime = new Set(recorded);
    const settled = [...inTime].map(placeOf);
    if (settled.length > 0) await deps.otlp.settle(workspace.id, settled);
    return inTime;
  };
}

/** Waits until all are settled, but no longer than the time. */
async function settledWithin(
  promises: readonly Promise<unknown>[],
  ms: number,
  pause: OtlpDeps['pause'],
): Promise<void> {
  const over = new AbortController();
  const timeUp = pause(ms, over.signal).catch(() => undefined);
  await Promise.race([Promise.all(promises), timeUp]);
  over.abort();
}
