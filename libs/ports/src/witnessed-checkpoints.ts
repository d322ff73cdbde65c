/** The checkpoint of a log that this witness has cosigned last. */
export type WitnessedCheckpoint = {
  readonly origin: string;
  readonly treeSize: number;
  /** Hex. */
  readonly rootHash: string;
  /** The note with the signatures of the log and of this witness. */
  readonly note: string;
};

/** A kept checkpoint, and which one of its log it is: 1, 2, and so on. */
export type KeptCheckpoint = WitnessedCheckpoint & { readonly revision: number };

/**
 * What a witness remembers: one checkpoint per log. Nothing may be cosigned before it is stored, because a witness that
 * forgets may cosign two histories. Any number of callers and processes may use it at once.
 */
export interface WitnessedCheckpoints {
  /** Undefined when nothing of this log was ever kept. Throws when what was kept cannot be read. */
  find(origin: string): Promise<KeptCheckpoint | undefined>;
  /**
   * Keeps the checkpoint, provided that the latest one of its log still is the one of this revision (0: there is none),
   * and says whether it did; of several callers with one revision, one is told so. Durable when it returns true. Throws
   * for a smaller tree, or for another root at the latest size, whatever the caller made of it.
   */
  keep(next: WitnessedCheckpoint, afterRevision: number): Promise<boolean>;
  /** Durably keeps a note that proves two histories: another root at a cosigned size. Each once, at most 16 a log. */
  keepFork(origin: string, note: string): Promise<void>;
  /** The notes that were kept so, in no order. */
  findForks(origin: string): Promise<readonly string[]>;
}
