import type { Caller } from '@answer-evidence/access';

type Kept = { readonly caller: Caller; readonly readAtMs: number };

/** Callers by the hash of their token. */
type CallerCache = {
  /** The caller whose reading began less than `ageMs` before `nowMs`. */
  find(tokenHash: string, nowMs: number): Caller | undefined;
  keep(tokenHash: string, caller: Caller, readAtMs: number): void;
  /** Whether the token is remembered at all, also when what is known of it is too old to act on. */
  has(tokenHash: string): boolean;
  /** For a token that turned out to be invalid. */
  forget(tokenHash: string): void;
};

/**
 * A bounded cache of callers, which drops the oldest first. The age of an entry counts from the start of its read, on a
 * monotonic clock, so no revocation stays unnoticed for longer than `ageMs`.
 */
export function createCallerCache(options: { readonly ageMs: number; readonly sizeMax: number }): CallerCache {
  const kept = new Map<string, Kept>();
  return {
    find(tokenHash, nowMs) {
      const entry = kept.get(tokenHash);
      return entry !== undefined && nowMs - entry.readAtMs < options.ageMs ? entry.caller : undefined;
    },
    has: (tokenHash) => kept.has(tokenHash),
    forget: (tokenHash) => void kept.delete(tokenHash),
    keep(tokenHash, caller, readAtMs) {
      // Deleting first moves a renewed entry to the end: a Map iterates in order of insertion.
      kept.delete(tokenHash);
      kept.set(tokenHash, { caller, readAtMs });
      if (kept.size <= options.sizeMax) return;
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        return;
      }
    },
  };
}
