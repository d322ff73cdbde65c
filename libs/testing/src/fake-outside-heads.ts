import { isUuid } from '@answer-evidence/encoding';
import type { OutsideHead, OutsideHeads } from '@answer-evidence/ports';

/** Heads kept in a map, which stands for what is outside of the database. */
export function createFakeOutsideHeads(kept: Map<string, OutsideHead> = new Map()): OutsideHeads {
  return {
    find: (workspaceId) =>
      isUuid(workspaceId) ? Promise.resolve(kept.get(workspaceId)) : Promise.reject(new Error('not a workspace id')),
    keep(head) {
      const before = kept.get(head.workspaceId);
      const isWellFormed =
        isUuid(head.workspaceId) &&
        /^[0-9a-f]{64}$/.test(head.rootHash) &&
        Number.isSafeInteger(head.treeSize) &&
        head.treeSize >= 0;
      const isFork = before?.treeSize === head.treeSize && before.rootHash !== head.rootHash;
      if (!isWellFormed || isFork) return Promise.reject(new Error('the head is refused'));
      if (before === undefined || before.treeSize < head.treeSize) kept.set(head.workspaceId, head);
      return Promise.resolve();
    },
  };
}
