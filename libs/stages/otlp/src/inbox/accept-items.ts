import { type Actor, ServiceError, type SettingsValues } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import type { VersionedSettings } from '@answer-evidence/ledger';
import type { AnswerItem, RejectedItem } from '@answer-evidence/otlp-mapping';
import { type ArrivedTrace, newId, type Workspace } from '@answer-evidence/ports';
import { commitmentKey, type HashKeys } from '@answer-evidence/preparation';
import type { OtlpInboxRow } from '@answer-evidence/tables';
import type { OtlpDeps } from '../deps.ts';
import { type AcceptedItem, formatBatch, type PackedItem, packItem } from './accepted-item.ts';
import { assertReadable } from './assert-readable.ts';
import { prepareItem } from './prepare-item.ts';
import { refuseItem } from './refuse-item.ts';
import { KeyedSemaphore } from './semaphore.ts';
import { createArrival, type HeldTrace, judgeHeld } from './trace-part.ts';
import { createWaitTime, type WaitTime } from './wait-time.ts';
import { createWriteThrough, type WriteThrough } from './write-through.ts';

/**
 * Most items, and about the most bytes, of one batch. It is sealed, and read again, in one go: a row per item would
 * have some 20 columns that are only ever read together. What was altered in it cannot be opened.
 */
const BATCH_ITEMS_MAX = 128;
const BATCH_BYTES_MAX = 1024 * 1024;
/**
 * So many items are prepared before they are sent to the ledger together: a transaction of few costs more for each of
 * them, and while it waits for many the database has nothing to do.
 */
const SENT_AT_ONCE = 64;
/** How often items are judged again because the settings changed meanwhile. */
const ATTEMPTS_MAX = 5;

/** What settings make of a request. */
type SortedItems<Summary> = {
  /** Its answers. Each is taken out of the list as it is prepared, so that nothing keeps it any longer. */
  readonly own: AnswerItem[];
  /** What waits. */
  readonly held: readonly HeldTrace[];
  /** What the response needs of it. */
  readonly summary: Summary;
};

/** Accepts answers and held traces. When it returns, everything that is not in `rejected` is durable. */
type AcceptItems = <Summary>(
  workspace: Workspace,
  /** Called when it is the turn of this request, and again if the settings changed meanwhile. */
  sort: (settings: SettingsValues) => Promise<SortedItems<Summary>>,
  actor: Actor,
  /** The request is large, and waits as bytes until those of its workspace before it are prepared. */
  isLarge: boolean,
) => Promise<{ readonly summary: Summary; readonly rejected: readonly RejectedItem[] }>;

/**
 * Sorts and judges items by the settings in force as they are kept: in the ledger where that is possible in time, else
 * in the inbox. After `ledger_unavailable` send all again: it is safe.
 */
export function createAcceptItems(deps: OtlpDeps, hashKeys: HashKeys): AcceptItems {
  const openWriteThrough = createWriteThrough(deps);
  const known = new Map<string, Promise<VersionedSettings>>();
  /**
   * Large requests of a workspace are opened one after another. Their items live shortly then: those of four requests
   * at once were most of what each collection of garbage copied.
   */
  const entrance = new KeyedSemaphore(1);

  function settingsOf(workspaceId: string): Promise<VersionedSettings> {
    const before = known.get(workspaceId);
    if (before !== undefined) return before;
    const reading = deps.readFreshSettings(workspaceId);
    known.set(workspaceId, reading);
    reading.catch(() => {
      if (known.get(workspaceId) === reading) known.delete(workspaceId);
    });
    return reading;
  }

  return async (workspace, sort, actor, isLarge) => {
    const time = createWaitTime(deps);
    let isInside = isLarge && deps.otlpLedgerWaitMs > 0 && (await entrance.acquire(workspace.id, 1, time.timeUp));
    const leave = () => {
      if (isInside) entrance.release(workspace.id, 1);
      isInside = false;
    };
    try {
      return await acceptAll(workspace, sort, actor, time, leave);
    } finally {
      leave();
      time.end();
    }
  };

  async function acceptAll<Summary>(
    workspace: Workspace,
    sort: (settings: SettingsValues) => Promise<SortedItems<Summary>>,
    actor: Actor,
    time: WaitTime,
    onPrepared: () => void,
  ): Promise<{ readonly summary: Summary; readonly rejected: readonly RejectedItem[] }> {
    /** Positions of items that are in the ledger. */
    const recorded = new Set<number>();
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const reading = settingsOf(workspace.id);
      const settings = await reading;
      const { own, held, summary } = await sort(settings.values);
      const rejected: RejectedItem[] = [];
      const by: Preparation = { ...deps, hashKeys, workspace, settings, actor, rejected };
      /** What is prepared and not in the ledger: what is there is let go of, not kept until the request ends. */
      const prepared = new Map<AcceptedItem, number>();
      const recordedBefore = recorded.size;
      const through = openWriteThrough(workspace, settings.version, time, (one) => {
        const index = prepared.get(one);
        if (index !== undefined) recorded.add(index);
        prepared.delete(one);
      });
      await prepareAll(by, own, recorded, prepared, (count, prepare) => through.send(count, prepare));
      const arrivals = await holdAll(by, held);
      onPrepared();
      await through.finish();
      const left = await packAll(by, prepared);
      // What left nothing is no answer by the settings in force: other rules may say where its texts stand.
      const isDone = left.length + arrivals.length === 0 && recorded.size > recordedBefore;
      if (isDone) return { summary, rejected };
      const batches: OtlpInboxRow[] = [];
      for (const batch of inBatches(left)) {
        await deps.turn();
        batches.push(seal(deps, workspace, batch));
      }
      // The items are acknowledged after this, never before: they are committed with the jobs that process them.
      const outcome = await deps.otlp.accept(workspace.id, settings.version, batches, arrivals);
      if (outcome === 'accepted') return { summary, rejected };
      if (known.get(workspace.id) === reading) known.delete(workspace.id);
    }
    throw new ServiceError('ledger_unavailable', 'the settings kept changing; retry the same request', {
      remedy: 'retry',
    });
  }
}

/** What items of one request are prepared with, and where those go that are refused. */
type Preparation = OtlpDeps & {
  readonly hashKeys: HashKeys;
  readonly workspace: Workspace;
  readonly settings: VersionedSettings;
  readonly actor: Actor;
  readonly rejected: RejectedItem[];
};

/**
 * Takes all items out, judges and prepares them but those that are recorded, and sends them on some at a time;
 * `prepared` gets each with the position of what it was made of.
 */
async function prepareAll(
  by: Preparation,
  items: AnswerItem[],
  recorded: ReadonlySet<number>,
  prepared: Map<AcceptedItem, number>,
  send: WriteThrough['send'],
): Promise<void> {
  const actorJson = canonicalize(by.actor);
  const hashKey = await commitmentKey(by.hashKeys, by.workspace, by.settings);
  let isFirst = true;
  while (items.length > 0) {
    const some = items.splice(0, SENT_AT_ONCE).filter(({ index }) => !recorded.has(index));
    await send(some.length, async () => {
      const ready: AcceptedItem[] = [];
      for (const item of some) {
        if (!isFirst) await by.turn();
        isFirst = false;
        try {
          const one = prepareItem(by, by.workspace, by.settings, hashKey, item, actorJson);
          prepared.set(one, item.index);
          ready.push(one);
        } catch (error) {
          by.rejected.push(refuseItem(item, error));
        }
      }
      return ready;
    });
  }
}

/** Judges what waits; the rows that keep it. */
async function holdAll(by: Preparation, held: readonly HeldTrace[]): Promise<readonly ArrivedTrace[]> {
  const arrivals: ArrivedTrace[] = [];
  for (const [n, one] of held.entries()) {
    if (n > 0) await by.turn();
    const judged = await judgeHeld(by, by.workspace, by.settings, one, by.actor);
    by.rejected.push(...judged.rejected);
    const { settings, actor } = by;
    arrivals.push(createArrival(by, by.workspace, judged.held, { settings, actor, items: judged.held.items }));
  }
  return arrivals;
}

/** Packs what is not in the ledger. */
async function packAll(
  { rejected, turn }: Preparation,
  prepared: ReadonlyMap<AcceptedItem, number>,
): Promise<readonly PackedItem[]> {
  const packed: PackedItem[] = [];
  const left = [...prepared];
  for (const [n, [one, index]] of left.entries()) {
    if (n > 0) await turn();
    try {
      const packedItem = packItem(one);
      assertReadable(packedItem.text);
      packed.push(packedItem);
    } catch (error) {
      rejected.push(refuseItem({ index, traceId: one.traceId, spanId: one.spanId }, error));
    }
  }
  return packed;
}

function inBatches(items: readonly PackedItem[]): readonly (readonly PackedItem[])[] {
  const batches: PackedItem[][] = [];
  let sizeBytes = 0;
  for (const item of items) {
    const current = batches.at(-1);
    const itemBytes = sizeOf(item);
    sizeBytes += itemBytes;
    if (current === undefined || current.length === BATCH_ITEMS_MAX || sizeBytes > BATCH_BYTES_MAX) {
      batches.push([item]);
      sizeBytes = itemBytes;
    } else current.push(item);
  }
  return batches;
}

/** About; its JSON is mostly ASCII. */
function sizeOf({ text, bytes }: PackedItem): number {
  return bytes.reduce((sum, { length }) => sum + length, text.length);
}

function seal(deps: OtlpDeps, { vault }: Workspace, items: readonly PackedItem[]): OtlpInboxRow {
  const id = newId(deps);
  const key = vault.createObjectKey(id);
  return {
    id,
    received_at: deps.clock.nowMicros(),
    item_count: items.length,
    wrapped_key: key.wrapped,
    items: key.seal('items', formatBatch(items)),
  };
}
