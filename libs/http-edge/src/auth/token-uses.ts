import type { Ticker, TokenUse, TokenUseStore } from '@answer-evidence/ports';

/** Most tokens whose use is remembered until it is written. */
const REMEMBERED_MAX = 10_000;
/** Of these, most of one workspace. */
const REMEMBERED_OF_WORKSPACE_MAX = REMEMBERED_MAX / 4;
/** How often the uses are written, so at most once in that time for each token. */
const WRITE_INTERVAL_MS = 60_000;

/**
 * Remembers in memory when tokens were used, and writes it once a minute: no request waits for that or fails by it. A
 * crash loses up to a minute of uses. Nothing is decided by them, and no leaf covers them.
 */
export type TokenUses = {
  note(use: TokenUse): void;
  /** Writes what is remembered; what could not be written is kept for the next time. */
  write(): Promise<void>;
  readonly ticker: Ticker;
};

/** A memory of uses over a store. A token that finds no room is noted at its next use. */
export function createTokenUses(store: TokenUseStore): TokenUses {
  let remembered = new Map<string, TokenUse>();
  let ofWorkspace = new Map<string, number>();

  function note(use: TokenUse): void {
    if (!remembered.has(use.tokenId)) {
      const count = ofWorkspace.get(use.workspaceId) ?? 0;
      if (remembered.size >= REMEMBERED_MAX || count >= REMEMBERED_OF_WORKSPACE_MAX) return;
      ofWorkspace.set(use.workspaceId, count + 1);
    }
    remembered.set(use.tokenId, use);
  }
  async function write(): Promise<void> {
    if (remembered.size === 0) return;
    const written = remembered;
    remembered = new Map();
    ofWorkspace = new Map();
    try {
      await store.record([...written.values()]);
    } catch (error) {
      for (const use of written.values()) if (!remembered.has(use.tokenId)) note(use);
      throw error;
    }
  }
  return { note, write, ticker: { name: 'token-uses', intervalMs: WRITE_INTERVAL_MS, run: write } };
}
