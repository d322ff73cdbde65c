import type { Workspace } from '@answer-evidence/ports';
import type { OtlpDeps } from '../deps.ts';
import { type AcceptedItem, placeOf } from './accepted-item.ts';
import { appendRecord } from './append-record.ts';

/** How many items of this process may be on their way into the ledger before more go into the inbox: half its queue. */
const UNDER_WAY_MAX = 2_048;

/**
 * The way of one request's items into the ledger. What it does not record has to go into the inbox: items without a
 * record of their own, those whose key is used, and all while the ledger is contended or away. One that is still on its
 * way when the time is up may be recorded in the end; from the inbox it is found as that.
 */
type WriteThrough = {
  /** Sends items, in their order; the caller may prepare the next ones while these are written. Never throws. */
  send(items: readonly AcceptedItem[]): void;
  /** Waits for all that were sent, but not for ever; which of them were recorded. Call it once, at the end. */
  recorded(): Promise<ReadonlySet<AcceptedItem>>;
};

/** Writes through for one process; called once per request, with the version of the settings that its items go by. */
export function createWriteThrough(deps: OtlpDeps): (workspace: Workspace, settingsVersion: number) => WriteThrough {
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

  return (workspace, settingsVersion) => {
    const recorded = new Set<AcceptedItem>();
    const appends: Promise<void>[] = [];
    let isClosed = deps.otlpLedgerWaitMs === 0;
    return {
      send(items) {
        const able = items.filter(({ record }) => record !== null);
        // For the rest of the request as well: of two items with one key the first is to be the record.
        isClosed ||= underWay + able.length > UNDER_WAY_MAX;
        if (isClosed) return;
        for (const item of able)
          appends.push(
            tryAppend(workspace, settingsVersion, item).then((isRecorded) => {
              if (isRecorded) recorded.add(item);
            }),
          );
      },
      async recorded() {
        if (appends.length === 0) return recorded;
        await settledWithin(appends, deps.otlpLedgerWaitMs, deps.pause);
        // What comes after the time belongs to the inbox.
        const inTime = new Set(recorded);
        const settled = [...inTime].map(placeOf);
        if (settled.length > 0) await deps.otlp.settle(workspace.id, settled);
        return inTime;
      },
    };
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
