/** What was done about what had been erased. */
export type VacuumOutcome =
  /** Nothing was erased since the last time. */
  | { readonly kind: 'nothing-to-do' }
  /** Another process is at it, as far as its own limits go. */
  | { readonly kind: 'busy' }
  /** Somebody still reads the database as it was before; what was erased can go when they have ended. */
  | { readonly kind: 'held-back' }
  | {
      readonly kind: 'done';
      /** Tables that were too large or too busy to be written anew: their free space still holds what was in it. */
      readonly notRewritten: readonly string[];
      /** Whether the files of the write-ahead log were overwritten, may not be, or are too many. */
      readonly log: 'overwritten' | 'not-permitted' | 'too-large';
      /** Whether some of it is held back, as above: a later run takes it. */
      readonly isSomeHeldBack: boolean;
    };

/** How far a run goes. */
export type VacuumLimits = {
  /** Larger tables are vacuumed in place only. */
  readonly tableBytesMax: number;
  /** The same for a part of sealed contents, of which only those are rewritten in which something was erased. */
  readonly partBytesMax: number;
  readonly logBytesMax: number;
  /** Also when nothing was erased since the last run, which may have left what was too large or too busy. */
  readonly again: boolean;
};

/** A table, or a part of one, that the service deletes from. */
export type ErasableTable = { readonly name: string; readonly bytes: number };
