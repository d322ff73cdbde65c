import { knownPayload } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import type { HeadDeps } from './assert-heads-hold.ts';

const LEAVES_PER_READ = 50_000;

/** Keeps the redactions of leaves from `from` up to `to` outside of the database. */
export async function keepRedactionsOf(
  { headStore, logs }: Pick<HeadDeps, 'headStore' | 'logs'>,
  workspaceId: string,
  from: number,
  to: number,
): Promise<void> {
  const isBegun = await headStore.hasRedactions(workspaceId);
  if (!isBegun) await headStore.keepRedactions(workspaceId, 0, []);
  for (let at = isBegun ? from : 0; at < to; at += LEAVES_PER_READ) {
    const found = await logs.redactions(workspaceId, at, Math.min(at + LEAVES_PER_READ, to));
    if (found.length === 0) continue;
    await headStore.keepRedactions(
      workspaceId,
      at,
      found.map((row) => ({
        recordId: row.record_id,
        eventId: row.id,
        payload: knownPayload.parse(parseJsonText(row.payload_json)),
      })),
    );
  }
}
