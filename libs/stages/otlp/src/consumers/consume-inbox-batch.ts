import { ServiceError } from '@answer-evidence/contracts';
import { type Consumer, VaultError } from '@answer-evidence/ports';
import { createHashKeys } from '@answer-evidence/preparation';
import type { OtlpDeps } from '../deps.ts';
import { openItems } from '../inbox/accepted-item.ts';
import { routeItems } from './route-items.ts';

/** Enough transactions for the log to fill while one of them is read and one forgotten. */
const CONCURRENCY = 4;
/** With pauses up to 15 minutes, some hours: a busy database does not lose what was acknowledged. */
const ATTEMPTS_MAX = 20;

/**
 * Works off a batch of the inbox: every item is recorded, attached, left waiting or listed. The batch is forgotten
 * together with what became of it; killed before that, it is worked off again, and what is in the ledger then is found
 * there.
 */
export function inboxBatchConsumer(deps: OtlpDeps): Consumer {
  const hashKeys = createHashKeys(deps.administration);
  return {
    topic: 'otlp.attach',
    concurrency: CONCURRENCY,
    attemptsMax: ATTEMPTS_MAX,
    async run({ workspace_id: workspaceId, subject }) {
      if (workspaceId === null || subject === null) throw new Error('a job of this topic must name a batch');
      const batch = await deps.otlp.findBatch(workspaceId, subject);
      if (batch === undefined) return;
      const workspace = await deps.directory.get(workspaceId);
      await deps.turn();
      let items;
      try {
        items = openItems(workspace.vault.openObjectKey(batch.id, batch.wrapped_key), batch.items);
      } catch (error) {
        if (!(error instanceof VaultError)) throw error;
        const detail = 'the batch was altered since it was accepted; send its items once more';
        throw new ServiceError('content_damaged', detail, { remedy: 'give-up' });
      }
      const received = items.map((item) => ({ item, receivedAt: batch.received_at }));
      const routed = await routeItems({ ...deps, hashKeys }, workspace, received, 'wait');
      await deps.otlp.finishBatch(workspaceId, batch.id, routed);
    },
  };
}
