import { setTimeout as delay } from 'node:timers/promises';
import { actorOf, type Caller } from '@answer-evidence/access';
import { createRecordRequest } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import type { Workspace } from '@answer-evidence/ports';
import { commitmentKey, createHashKeys, digestRecord, prepareRecord } from '@answer-evidence/preparation';
import { parseConfig } from '../../../libs/runtime/src/ground/config.ts';
import { openStores, type Stores } from '../../../libs/runtime/src/open/open-stores.ts';
import { APPLICATION_KEY, createBodyTemplate, formatKey, KEY_PLACEHOLDER } from '../service/create-body.ts';
import type { BenchService } from '../service/open-service.ts';

/** Appends records as the service does, with all of it but HTTP. */
export type Loader = {
  readonly stores: Stores;
  /** Appends so many records to the log of a workspace, `KEPT_BUSY` at a time; tells how many every `TOLD_EVERY`. */
  append(workspace: Workspace, records: number, onAppended: (records: number) => void): Promise<void>;
  close(): Promise<void>;
};

/** Two batches: one is prepared while the other is committed. */
const KEPT_BUSY = 256;
const TOLD_EVERY = 100_000;
/** A log is refused whose head was not kept outside the database for a minute. */
const KEEP_HEADS_MS = 5_000;

/** Opens what writes beside a running service, on its database and with its keys. */
export async function openLoader({ databaseUrl, dataDir }: BenchService): Promise<Loader> {
  const config = parseConfig({ DATABASE_URL: databaseUrl, SERVICE_DATA_DIR: dataDir });
  const on = {
    fatal: (error: Error) => {
      throw error;
    },
    idleError: () => undefined,
  };
  const database = { url: databaseUrl, close: () => Promise.resolve() };
  const stores = await openStores(config, database, () => undefined, on);
  const hashKeys = createHashKeys(stores.administration);
  const template = createBodyTemplate();
  let runs = 0;

  async function appendOne(workspace: Workspace, actorJson: string, key: string): Promise<void> {
    const digested = digestRecord(createRecordRequest.parse(JSON.parse(template.replace(KEY_PLACEHOLDER, key))));
    if ('refusal' in digested) throw new Error(`the record of the bench is refused: ${digested.refusal.message}`);
    const submission = { ...digested, idempotencyKey: key, actorJson };
    await stores.ledger.append(workspace.id, async (settings) =>
      prepareRecord(stores, workspace, settings, await commitmentKey(hashKeys, workspace, settings), submission),
    );
  }

  /** As every process of the service does while it writes. */
  async function keepHeads(done: AbortSignal): Promise<void> {
    const ticker = stores.heads.ticker('own');
    while (!done.aborted) {
      await delay(KEEP_HEADS_MS, undefined, { signal: done }).catch(() => undefined);
      await ticker.run(new AbortController().signal);
    }
  }

  const done = new AbortController();
  const keeping = keepHeads(done.signal);

  return {
    stores,
    async append(workspace, records, onAppended) {
      const prefix = `load-${Date.now().toString(36)}-${runs++}`;
      const caller: Caller = {
        kind: 'application',
        workspaceId: workspace.id,
        tokenId: workspace.id,
        applicationKey: APPLICATION_KEY,
        scopes: ['answer_audit:create'],
        expiresAt: Number.MAX_SAFE_INTEGER,
      };
      const actorJson = canonicalize(actorOf(caller));
      let next = 0;
      const work = async (): Promise<void> => {
        while (next < records) {
          if (next > 0 && next % TOLD_EVERY === 0) onAppended(next);
          await appendOne(workspace, actorJson, formatKey(prefix, next++));
        }
      };
      await Promise.all(Array.from({ length: Math.min(KEPT_BUSY, records) }, work));
    },
    async close() {
      done.abort();
      await keeping;
      await stores.close();
    },
  };
}
