import type { MismatchEvidence } from './compare/mismatch-error.ts';

/**
 * Remembers the newest checkpoint that was verified of each log, as the whole signed note. The client asks one thing at
 * a time. What `save` has returned from must be found by a later `load`, as far as the store is to survive.
 */
export type CheckpointStore = {
  /** The note, or undefined when none was saved for this log. */
  load(origin: string): Promise<string | undefined>;
  save(origin: string, note: string): Promise<void>;
  /** Keeps what was signed in a response that is not about what was sent. Left out: it is in the error alone. */
  keepMismatch?(evidence: MismatchEvidence): Promise<void>;
};

/** A store that lives as long as the process. */
export function createMemoryStore(): CheckpointStore {
  const notes = new Map<string, string>();
  return {
    load: (origin) => Promise.resolve(notes.get(origin)),
    save: (origin, note) => Promise.resolve(void notes.set(origin, note)),
  };
}
