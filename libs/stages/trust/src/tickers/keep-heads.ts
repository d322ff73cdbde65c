import { knownPayload } from '@answer-evidence/contracts';
import { formatHex, parseJsonText } from '@answer-evidence/encoding';
import { HeadError, type Ticker, type Workspace } from '@answer-evidence/ports';
import { assertExtends } from '../assert-heads-hold.ts';
import type { TrustDeps } from '../deps.ts';

const INTERVAL_MS = 1_000;

const LEAVES_A_READ = 50_000;

/**
 * Keeps every log's head outside of the database, and the redactions up to it, so that a restore of an older database
 * is seen at the next start. What was committed within the last interval before a restore's backup is lost is covered
 * by receipts only.
 */
export function keepHeadsTicker(deps: TrustDeps): Ticker {
  const kept = new Map<string, number>();
  return {
    name: 'keep-heads',
    intervalMs: INTERVAL_MS,
    atStop: true,
    async run(signal) {
      const failures: unknown[] = [];
      for (const workspace of await deps.directory.list()) {
        if (signal.aborted) break;
        try {
          const { head } = await deps.logs.snapshot(workspace.id);
          if (kept.get(workspace.id) === head.tree_size) continue;
          await deps.whileKeepingHead(workspace.id, async () => {
            const size = await keepHead(deps, workspace);
            // Only here: who holds the lock instead may be keeping an older head than this one.
            kept.set(workspace.id, size);
          });
        } catch (error) {
          // A log that is damaged keeps no other's head from being kept.
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Keeps the head of one log outside of the database now. False when another process is doing so. */
export function keepHeadNow(deps: TrustDeps, workspace: Workspace): Promise<boolean> {
  return deps.whileKeepingHead(workspace.id, async () => {
    await keepHead(deps, workspace);
  });
}

/** Moves the kept head forward, and only forward on the same history: a database that was swapped stops the process. */
async function keepHead(deps: TrustDeps, workspace: Workspace): Promise<number> {
  const before = await deps.headStore.find(workspace.id);
  const snapshot = await deps.logs.snapshot(workspace.id);
  try {
    if (before !== undefined) await assertExtends(workspace, before, snapshot);
  } catch (error) {
    if (error instanceof HeadError && error.code === 'log_refused') deps.onFatal(error);
    throw error;
  }
  const { head, root } = snapshot;
  // First, so that below a kept head no redaction is missing.
  await keepRedactions(deps, workspace.id, before?.treeSize ?? 0, head.tree_size);
  await deps.headStore.keep({
    workspaceId: workspace.id,
    origin: workspace.origin,
    treeSize: head.tree_size,
    rootHash: formatHex(root),
    systemIdentifier: await deps.systemIdentifier(),
  });
  return head.tree_size;
}

async function keepRedactions(deps: TrustDeps, workspaceId: string, from: number, to: number): Promise<void> {
  const isBegun = await deps.headStore.hasRedactions(workspaceId);
  if (!isBegun) await deps.headStore.keepRedactions(workspaceId, []);
  for (let at = isBegun ? from : 0; at < to; at += LEAVES_A_READ) {
    const found = await deps.logs.redactions(workspaceId, at, Math.min(at + LEAVES_A_READ, to));
    if (found.length === 0) continue;
    await deps.headStore.keepRedactions(
      workspaceId,
      found.map((row) => ({
        recordId: row.record_id,
        eventId: row.id,
        payload: knownPayload.parse(parseJsonText(row.payload_json)),
      })),
    );
  }
}
