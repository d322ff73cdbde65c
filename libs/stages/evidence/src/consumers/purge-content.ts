import { type Consumer, formatObjectName } from '@answer-evidence/ports';
import type { EvidenceParts } from '../parts.ts';

/** At 15 minutes at most between two, about a day; after that the sweep deletes what is left, and the dead letter says what was wrong. */
const ATTEMPTS_MAX = 100;

/**
 * Deletes the bytes of a content whose key is destroyed, and notes that they are gone. Twice changes nothing: names are used once. A job whose
 * content is there has nothing to delete, whoever wrote it.
 */
export function purgeContentConsumer(parts: EvidenceParts): Consumer {
  return {
    topic: 'evidence.purge',
    concurrency: 2,
    attemptsMax: ATTEMPTS_MAX,
    async run({ workspace_id: workspaceId, subject: contentId }) {
      if (workspaceId === null || contentId === null) throw new Error('a purge is of a content of a workspace');
      const existing = await parts.evidence.existingContents(workspaceId, [contentId]);
      if (existing.has(contentId)) return;
      await parts.objects.delete(formatObjectName(workspaceId, contentId));
      await parts.evidenceErasures.noteDeleted(workspaceId, contentId, parts.clock.nowMicros());
    },
  };
}
