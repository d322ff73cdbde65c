import {
  type Consumer,
  mayEraseByTime,
  parseObjectName,
  type Schedule,
  type StoredObject,
} from '@answer-evidence/ports';
import type { EvidenceDeps } from '../deps.ts';

/** How often all objects are gone through. */
export const OBJECT_SWEEP: Schedule = { name: 'evidence-sweep', topic: 'evidence.sweep', everyMs: 3_600_000 };
/** How old an object without a row must be: an upload takes minutes from object to row, and clocks may disagree. */
const ORPHAN_AGE_MICROS = 86_400_000_000;
/** How many objects are compared with the database at once. */
const OBJECTS_MAX = 500;

/**
 * Deletes what a crash between object and row has left, what a purge could not, and remains of uploads that never
 * ended. An object of a workspace that this installation does not know is left alone: the bucket may be shared, or the
 * database the wrong one.
 */
export function sweepObjectsConsumer(deps: EvidenceDeps): Consumer {
  return {
    topic: 'evidence.sweep',
    concurrency: 1,
    async run(_job, signal) {
      const before = deps.clock.nowMicros() - ORPHAN_AGE_MICROS;
      // By a clock that is ahead, an upload that is under way would look old.
      if (!mayEraseByTime(deps.clockGuard)) return;
      await deps.objects.deleteRemains(before);
      for (const workspace of await deps.directory.list()) {
        let batch: StoredObject[] = [];
        for await (const object of deps.objects.list({ workspaceId: workspace.id })) {
          if (signal.aborted) return;
          if (object.storedAtMicros < before) batch.push(object);
          if (batch.length < OBJECTS_MAX) continue;
          await deleteOrphans(deps, workspace.id, batch);
          batch = [];
        }
        await deleteOrphans(deps, workspace.id, batch);
      }
    },
  };
}

async function deleteOrphans(deps: EvidenceDeps, workspaceId: string, objects: readonly StoredObject[]): Promise<void> {
  const contentIds = objects.flatMap(({ name }) => parseObjectName(name)?.contentId ?? []);
  if (contentIds.length === 0) return;
  const existing = await deps.evidence.existingContents(workspaceId, contentIds);
  for (const { name } of objects) {
    const contentId = parseObjectName(name)?.contentId;
    if (contentId === undefined || existing.has(contentId)) continue;
    await deps.objects.delete(name);
    await deps.evidenceErasures.noteDeleted(workspaceId, contentId, deps.clock.nowMicros());
  }
}
