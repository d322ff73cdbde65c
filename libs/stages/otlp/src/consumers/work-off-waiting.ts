import { type Consumer, type Settlement, VaultError, type Workspace } from '@answer-evidence/ports';
import { createHashKeys, type HashKeys } from '@answer-evidence/preparation';
import { openItems } from '../inbox/accepted-item.ts';
import type { OtlpParts } from '../parts.ts';
import { createUnattachedRow, type Received, settleItems } from './settle-items.ts';

const ITEMS_A_RUN = 512;
const ABANDONED_A_RUN = 16;
const MICROS_PER_DAY = 86_400_000_000;
/** How long a batch that was given up keeps its texts, and how long an unattached trace is listed. */
const KEPT_MICROS = 30 * MICROS_PER_DAY;
const NOTHING: Settlement = { waiting: [], unattached: [], settled: [] };

/**
 * For every workspace: attaches what has waited and whose record has come, by whichever way and process; lists what has waited in vain; lets
 * go of the texts of batches that were given up, and of old lines of the list. It goes by what is stored, so a run that was missed is only late.
 */
export function waitConsumer(parts: OtlpParts): Consumer {
  const hashKeys = createHashKeys(parts.administration);
  return {
    topic: 'otlp.wait',
    concurrency: 1,
    async run(_job, signal) {
      const failures: unknown[] = [];
      for (const workspace of await parts.directory.list()) {
        if (signal.aborted) return;
        try {
          await workOff(parts, hashKeys, workspace, signal);
        } catch (error) {
          // One workspace does not hold up the others.
          failures.push(error);
        }
      }
      const [failure] = failures;
      if (failure instanceof Error) throw failure;
    },
  };
}

async function workOff(parts: OtlpParts, hashKeys: HashKeys, workspace: Workspace, signal: AbortSignal): Promise<void> {
  const { otlp, clock } = parts;
  while (!signal.aborted) {
    const rows = await otlp.findRipe(workspace.id, clock.nowMicros(), ITEMS_A_RUN);
    if (rows.length === 0) break;
    const received = rows.flatMap((row) => open(workspace, row.id, row.wrapped_key, row.item, row.received_at));
    const settlement = await settleItems({ ...parts, hashKeys }, workspace, received, 'list');
    await otlp.finishWaiting(
      workspace.id,
      rows.map(({ id }) => id),
      settlement,
    );
  }
  const before = clock.nowMicros() - KEPT_MICROS;
  for (const batch of await otlp.findAbandoned(workspace.id, before, ABANDONED_A_RUN)) {
    const received = open(workspace, batch.id, batch.wrapped_key, batch.items, batch.received_at);
    const unattached = received.map((one) => createUnattachedRow(parts, one, 'given_up', null));
    await otlp.finishBatch(workspace.id, batch.id, { ...NOTHING, unattached });
  }
  await otlp.forgetUnattached(workspace.id, before);
}

/** Nothing can be said of what was altered. */
function open(
  { vault }: Workspace,
  id: string,
  wrapped: Uint8Array,
  sealed: Uint8Array,
  receivedAt: number,
): readonly Received[] {
  try {
    return openItems(vault.openObjectKey(id, wrapped), sealed).map((item) => ({ item, receivedAt }));
  } catch (error) {
    if (error instanceof VaultError) return [];
    throw error;
  }
}
