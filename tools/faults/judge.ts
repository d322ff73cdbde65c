import { performance } from 'node:perf_hooks';
import { type Call, type Item, type LoadResult, pause } from './load.ts';

const TRIES_MAX = 5;

/** What is left of what was acknowledged. */
export type Findings = { readonly lost: number; readonly doubled: number; readonly ledgerCheck: string };

/** Waits until everything that the load caused is done; when that was, or undefined after the deadline. */
export async function untilCaughtUp(call: Call, { runs }: LoadResult, deadlineMs: number): Promise<number | undefined> {
  const deadline = performance.now() + deadlineMs;
  const pending = new Set(runs);
  for (;;) {
    try {
      for (const id of pending) {
        const { status } = await call('GET', `/api/reconciliations/runs/${id}`);
        if (status === 'completed') pending.delete(id);
        else break;
      }
      if (pending.size === 0 && (await isPublished(call))) return performance.now();
    } catch {
      // What serves it is not back yet.
    }
    if (performance.now() > deadline) return undefined;
    await pause(250);
  }
}

/** Whether the newest checkpoint that anyone can see covers the newest record. */
async function isPublished(call: Call): Promise<boolean> {
  const { items } = await call('GET', '/api/answer-audit-logs?size=1');
  const published = (await call('GET', '/api/trust/checkpoints')).items[0]?.tree_size ?? 0;
  const newest = items[0]?.ledger.leaf_index;
  return newest === undefined || published > newest;
}

/** Compares what callers were told with what there is, and has the ledger checked. */
export async function judge(asked: Call, { assets, records }: LoadResult): Promise<Findings> {
  const call: Call = (method, path) => repeat(() => asked(method, path));
  const ids = new Map<string, string[]>();
  for (const { id, idempotency_key: key } of await listAll(call, '/api/answer-audit-logs'))
    ids.set(key, [...(ids.get(key) ?? []), id]);
  const there = new Set((await listAll(call, '/api/evidence-assets')).map(({ id }) => id));
  let lost = 0;
  for (const [key, id] of records) if (id === '' ? !ids.has(key) : ids.get(key)?.includes(id) !== true) lost += 1;
  for (const id of assets.values()) if (!there.has(id)) lost += 1;
  // Two for one key, or an asset that nobody was told of although every upload was acknowledged in the end.
  const doubled = [...ids.values()].filter((list) => list.length > 1).length + Math.max(0, there.size - assets.size);
  const { outcome } = await call('POST', '/api/trust/ledger-checks');
  return { lost, doubled, ledgerCheck: outcome };
}

async function listAll(call: Call, path: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor = '';
  do {
    const page = await call('GET', `${path}?size=200${cursor === '' ? '' : `&cursor=${cursor}`}`);
    items.push(...page.items);
    cursor = page.next_cursor ?? '';
  } while (cursor !== '');
  return items;
}

/** A machine under load may be late; what is still refused after some tries is refused. */
async function repeat<T>(once: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await once();
    } catch (error) {
      if (tries === TRIES_MAX) throw error;
      await pause(1_000);
    }
}
