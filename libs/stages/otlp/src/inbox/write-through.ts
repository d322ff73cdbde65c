import type { ItemPlace, Workspace } from '@answer-evidence/ports';
import type { OtlpDeps } from '../deps.ts';
import { type AcceptedItem, placeOf } from './accepted-item.ts';
import { appendRecords } from './append-records.ts';
import { KeyedSemaphore } from './semaphore.ts';
import type { WaitTime } from './wait-time.ts';

/** How many items of this process may be on their way into the ledger before more go into the inbox: half its queue. */
const UNDER_WAY_MAX = 2_048;
/**
 * How many items of one workspace are prepared and on their way at once: two transactions of the log. More of them only
 * wait in memory, and what lives that long is copied by one collection of garbage after another.
 */
const AT_ONCE_MAX = 256;

/**
 * The way of one request's items into the ledger. What it does not record has to go into the inbox: items without a
 * record of their own, those whose key is used, and all while the ledger is contended or away. One that is still on its
 * way when the time is up may be recorded in the end; from the inbox it is found as that.
 */
export type WriteThrough = {
  /**
   * Has so many items prepared once there is room for them, and sends them in their order. It resolves before they are
   * recorded: the next ones may be prepared while these are written. Rejects as `prepare` does.
   */
  send(count: number, prepare: () => Promise<readonly AcceptedItem[]>): Promise<void>;
  /** Waits until all that were sent are recorded, but not for ever. Call it once, at the end. */
  finish(): Promise<void>;
};

/**
 * Opens the way for one request, whose items go by this version of the settings. `onRecorded` is told of each item that
 * is recorded, until `finish` has resolved.
 */
type OpenWriteThrough = (
  workspace: Workspace,
  settingsVersion: number,
  time: WaitTime,
  onRecorded: (item: AcceptedItem) => void,
) => WriteThrough;

/** Writes through for one process. Why not only into the inbox: decision 0098. */
export function createWriteThrough(deps: OtlpDeps): OpenWriteThrough {
  let underWay = 0;
  const preparing = new KeyedSemaphore(AT_ONCE_MAX);

  return ({ id: workspaceId }, settingsVersion, time, onRecorded) => {
    const settled: ItemPlace[] = [];
    const appends: Promise<void>[] = [];
    let isClosed = deps.otlpLedgerWaitMs === 0;
    let isOver = false;

    async function append(items: readonly AcceptedItem[]): Promise<void> {
      underWay += items.length;
      // Whatever it was that failed, the inbox keeps the item, and its consumer meets the same fault and tells it.
      const results = await appendRecords(deps.ledger, workspaceId, items, settingsVersion).catch(() => []);
      underWay -= items.length;
      preparing.release(workspaceId, items.length);
      // What comes after the time belongs to the inbox.
      if (isOver) return;
      for (const [n, item] of items.entries()) {
        if (results[n]?.isRecorded !== true) continue;
        settled.push(placeOf(item));
        onRecorded(item);
      }
    }

    return {
      async send(count, prepare) {
        let taken = 0;
        if (!isClosed && (await preparing.acquire(workspaceId, count, time.timeUp))) taken = count;
        // For the rest of the request as well: of two items with one key the first is to be the record.
        else isClosed = true;
        try {
          const able = (await prepare()).filter(({ record }) => record !== null);
          isClosed ||= underWay + able.length > UNDER_WAY_MAX;
          if (isClosed) return;
          taken -= able.length;
          if (able.length > 0) appends.push(append(able));
        } finally {
          preparing.release(workspaceId, taken);
        }
      },
      async finish() {
        if (appends.length === 0) return;
        await Promise.race([Promise.all(appends), time.timeUp()]);
        isOver = true;
        if (settled.length > 0) await deps.otlp.settle(workspaceId, settled);
      },
    };
  };
}
