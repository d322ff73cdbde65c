import { type Consumer, formatObjectName } from '@answer-evidence/ports';
import type { EvidenceDeps } from '../deps.ts';

/** At most 15 minutes apart, about a day; then the sweep deletes the rest, and a dead letter has the cause. */
const ATTEMPTS_MAX = 100;

/**
 * Deletes the bytes of a content whose key is deleted, and records that. It is idempotent, because object names are
 * used only once. If the content still has a row, there is nothing to delete.
 */
export function purgeContentConsumer(deps: EvidenceDeps): Consumer {
  return {
    topic: 'evidence.purge',
    concurrency: 2,
    attemptsMax: ATTEMPTS_MAX,
    async run({ workspace_id: workspaceId, subject: contentId }) {
      if (workspaceId === null || contentId === null) throw new Error('a purge job must name a content of a workspace');
      const existing = await deps.evidence.existingContents(workspaceId, [contentId]);
      if (existing.has(contentId)) return;
      await deps.objects.delete(formatObjectName(workspaceId, contentId));
      await deps.evidenceErasures.noteDeleted(workspaceId, contentId, deps.clock.nowMicros());
    },
  };
}
