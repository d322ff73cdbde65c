import { isUuid } from '@answer-evidence/encoding';
import type { HeadStore, OutsideHead, OutsideRedaction } from '@answer-evidence/ports';

/** What stands for the storage outside of the database. */
type HeadStorage = {
  readonly kept: Map<string, OutsideHead>;
  readonly endings: Map<string, readonly string[]>;
  readonly redactions: Map<string, readonly OutsideRedaction[]>;
};

/** A storage with nothing in it. */
export function createHeadStorage(): HeadStorage {
  return { kept: new Map(), endings: new Map(), redactions: new Map() };
}

/** Heads kept in maps, which stand for what is outside of the database. */
export function createFakeHeadStore(storage: HeadStorage = createHeadStorage()): HeadStore {
  const { kept, endings, redactions } = storage;
  return {
    moveOn(head, ended) {
      if (kept.get(head.workspaceId)?.origin !== ended || head.origin === ended)
        return Promise.reject(new Error('the head is refused'));
      kept.set(head.workspaceId, head);
      endings.set(head.workspaceId, [...(endings.get(head.workspaceId) ?? []), ended]);
      return Promise.resolve();
    },
    findEnded: (workspaceId) => Promise.resolve(endings.get(workspaceId) ?? []),
    keepRedactions(workspaceId, more) {
      const known = redactions.get(workspaceId) ?? [];
      const fresh = more.filter(({ eventId }) => !known.some((other) => other.eventId === eventId));
      redactions.set(workspaceId, [...known, ...fresh]);
      return Promise.resolve();
    },
    hasRedactions: (workspaceId) => Promise.resolve(redactions.has(workspaceId)),
    findRedactions: (workspaceId) => Promise.resolve(redactions.get(workspaceId)),
    find: (workspaceId) =>
      isUuid(workspaceId) ? Promise.resolve(kept.get(workspaceId)) : Promise.reject(new Error('not a workspace id')),
    keep(head) {
      const before = kept.get(head.workspaceId);
      const isWellFormed =
        isUuid(head.workspaceId) &&
        /^[0-9a-f]{64}$/.test(head.rootHash) &&
        Number.isSafeInteger(head.treeSize) &&
        head.treeSize >= 0;
      if (before !== undefined && before.origin !== head.origin)
        return Promise.reject(new Error('the head is refused'));
      const isFork = before?.treeSize === head.treeSize && before.rootHash !== head.rootHash;
      if (!isWellFormed || isFork) return Promise.reject(new Error('the head is refused'));
      if (before === undefined || before.treeSize < head.treeSize) kept.set(head.workspaceId, head);
      return Promise.resolve();
    },
  };
}
