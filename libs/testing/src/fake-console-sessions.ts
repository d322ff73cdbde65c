import { formatHex } from '@answer-evidence/encoding';
import type { ConsoleSession, ConsoleSessionStore } from '@answer-evidence/ports';

/** Makes a store of sessions in memory. */
export function createFakeConsoleSessions(): ConsoleSessionStore {
  const sessions = new Map<string, ConsoleSession & { readonly workspaceId: string }>();
  const nameOf = (workspaceId: string, key: Uint8Array) => `${workspaceId} ${formatHex(key)}`;
  return {
    add(workspaceId, session, nowMicros, usedBefore) {
      for (const [name, one] of sessions)
        if (one.workspaceId === workspaceId && (one.expiresAt <= nowMicros || one.usedAt < usedBefore))
          sessions.delete(name);
      sessions.set(nameOf(workspaceId, session.key), { ...session, workspaceId });
      return Promise.resolve();
    },
    find: (workspaceId, key) => Promise.resolve(sessions.get(nameOf(workspaceId, key))),
    ofMember: (workspaceId, memberId) =>
      Promise.resolve(
        [...sessions.values()].filter((one) => one.workspaceId === workspaceId && one.memberId === memberId),
      ),
    noteUse(workspaceId, key, usedAt) {
      const name = nameOf(workspaceId, key);
      const known = sessions.get(name);
      if (known !== undefined) sessions.set(name, { ...known, usedAt: Math.max(known.usedAt, usedAt) });
      return Promise.resolve();
    },
    remove(workspaceId, keys) {
      for (const key of keys) sessions.delete(nameOf(workspaceId, key));
      return Promise.resolve();
    },
  };
}
