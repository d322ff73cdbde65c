import { isUuid } from '@answer-evidence/encoding';
import type { OutsideHead, OutsideHeads, OutsideRedaction } from '@answer-evidence/ports';

/** Heads kept in a map, which stands for what is outside of the database. */
export function createFakeOutsideHeads(kept: Map<string, OutsideHead> = new Map()): OutsideHeads {
  const endings = new Map<string, string[]>();
  const redactions = new Map<string, OutsideRedaction[]>();
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
