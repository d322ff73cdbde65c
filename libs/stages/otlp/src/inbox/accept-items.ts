import { type Actor, ServiceError } from '@answer-evidence/contracts';
import type { VersionedSettings } from '@answer-evidence/ledger';
import type { AnswerItem, RejectedItem } from '@answer-evidence/otlp-mapping';
import { type ArrivedTrace, newId, type Workspace } from '@answer-evidence/ports';
import { createHashKeys } from '@answer-evidence/preparation';
import type { OtlpInboxRow } from '@answer-evidence/tables';
import type { OtlpDeps } from '../deps.ts';
import { formatBatch, type PackedItem, packItem } from './accepted-item.ts';
import { assertReadable } from './assert-readable.ts';
import { prepareItem } from './prepare-item.ts';
import { createArrival, type HeldTrace, judgeHeld } from './trace-part.ts';

/** Most items, and about the most bytes, of one batch: as many as one transaction of the log takes. */
const BATCH_ITEMS_MAX = 256;
const BATCH_BYTES_MAX = 4 * 1024 * 1024;
/** How often items are judged again because the settings changed meanwhile. */
const ATTEMPTS_MAX = 5;
/** How many items are prepared before others have their turn. */
const ITEMS_A_TURN = 16;

/** Takes answers and what waits in: when it returns they are durable, apart from those that it rejects. */
type AcceptItems = (
  workspace: Workspace,
  items: readonly AnswerItem[],
  held: readonly HeldTrace[],
  actor: Actor,
) => Promise<readonly RejectedItem[]>;

/** Judges items by the settings in force as they are kept. After `ledger_unavailable` send all again: it is safe. */
export function createAcceptItems(deps: OtlpDeps): AcceptItems {
  const hashKeys = createHashKeys(deps.administration);
  const known = new Map<string, Promise<VersionedSettings>>();

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

  return async (workspace, items, held, actor) => {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const reading = settingsOf(workspace.id);
      const settings = await reading;
      const rejected: RejectedItem[] = [];
      const packed: PackedItem[] = [];
      for (const [n, item] of items.entries()) {
        if (n > 0 && n % ITEMS_A_TURN === 0) await deps.turn();
        try {
          const one = packItem(await prepareItem({ ...deps, hashKeys }, workspace, settings, item, actor));
          assertReadable(one.text);
          packed.push(one);
        } catch (error) {
          if (!(error instanceof ServiceError) || error.remedy !== 'fix-request') throw error;
          const { index, traceId, spanId } = item;
          rejected.push({ index, traceId, spanId, reason: `${error.message} (${error.code})` });
        }
      }
      const arrivals: ArrivedTrace[] = [];
      for (const [n, one] of held.entries()) {
        if (n > 0 && n % ITEMS_A_TURN === 0) await deps.turn();
        const judged = await judgeHeld({ ...deps, hashKeys }, workspace, settings, one, actor);
        rejected.push(...judged.rejected);
        arrivals.push(createArrival(deps, workspace, judged.held, { settings, actor, items: judged.held.items }));
      }
      if (packed.length + arrivals.length === 0) return rejected;
      const batches = inBatches(packed).map((batch) => seal(deps, workspace, batch));
      // The items are acknowledged after this, never before: they are committed with the jobs that process them.
      if ((await deps.otlp.accept(workspace.id, settings.version, batches, arrivals)) === 'accepted') return rejected;
      if (known.get(workspace.id) === reading) known.delete(workspace.id);
    }
    throw new ServiceError('ledger_unavailable', 'the settings kept changing; retry the same request', {
      remedy: 'retry',
    });
  };
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
