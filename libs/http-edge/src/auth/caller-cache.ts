import type { KnownCaller } from './read-caller.ts';

type Kept = { readonly known: KnownCaller; readonly readAtMs: number };

/** Callers by the hash of their token. */
type CallerCache = {
  /** The caller whose reading began less than `ageMs` before `nowMs`. */
  find(tokenHash: string, nowMs: number): KnownCaller | undefined;
  keep(tokenHash: string, known: KnownCaller, readAtMs: number): void;
  /** Whether the token is remembered at all, also when what is known of it is too old to act on. */
  has(tokenHash: string): boolean;
  /** For a token that turned out to be invalid. */
  forget(tokenHash: string): void;
};

/** Most of the room that tokens of one workspace have. */
const SHARE = 1 / 4;

/**
 * A bounded cache of callers, which drops the oldest first: of a workspace that has a quarter of the room, its own
 * oldest. The age of an entry counts from the start of its read, on a monotonic clock, so no revocation stays unnoticed
 * for longer than `ageMs`.
 */
export function createCallerCache(options: { readonly ageMs: number; readonly sizeMax: number }): CallerCache {
  const workspaceMax = Math.max(1, Math.floor(options.sizeMax * SHARE));
  // A Map or Set iterates in order of insertion; each renewed entry moves to the end.
  const kept = new Map<string, Kept>();
  const ofWorkspace = new Map<string, Set<string>>();

  function forget(tokenHash: string | undefined): void {
    const entry = tokenHash === undefined ? undefined : kept.get(tokenHash);
    if (tokenHash === undefined || entry === undefined) return;
    kept.delete(tokenHash);
    const hashes = ofWorkspace.get(entry.known.caller.workspaceId);
    hashes?.delete(tokenHash);
    if (hashes?.size === 0) ofWorkspace.delete(entry.known.caller.workspaceId);
  }

  return {
    find(tokenHash, nowMs) {
      const entry = kept.get(tokenHash);
      return entry !== undefined && nowMs - entry.readAtMs < options.ageMs ? entry.known : undefined;
    },
    has: (tokenHash) => kept.has(tokenHash),
    forget,
    keep(tokenHash, known, readAtMs) {
      const { workspaceId } = known.caller;
      forget(tokenHash);
      const hashes = ofWorkspace.get(workspaceId) ?? new Set();
      if (hashes.size >= workspaceMax) forget(first(hashes));
      else if (kept.size >= options.sizeMax) forget(first(kept.keys()));
      kept.set(tokenHash, { known, readAtMs });
      ofWorkspace.set(workspaceId, hashes.add(tokenHash));
    },
  };
}

function first(hashes: Iterable<string>): string | undefined {
  for (const hash of hashes) return hash;
  return undefined;
}
