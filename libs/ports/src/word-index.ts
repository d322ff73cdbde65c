import type { Limits, RecordFilters, Within } from '@answer-evidence/contracts';
import type { RowOf, SealedRow, WORD_INDEXES } from '@answer-evidence/tables';

/** How far the words of one workspace are indexed. Its MAC is the caller's to make and to check. */
export type WordIndexRow = RowOf<typeof WORD_INDEXES>;

/** Contents that an entry sealed and that are still there, with the place of the record that they belong to. */
export type EntryContents = {
  readonly isRecord: boolean;
  readonly recordLeaf: number;
  readonly sealed: SealedRow;
};

/** The tokens of such contents. */
type TokensOfContents = Pick<EntryContents, 'recordLeaf' | 'sealed'> & {
  readonly tokens: readonly Uint8Array[];
};

/**
 * Which records a search looks at, by what `RecordFilters` say of them. What is not `within` them neither is found nor
 * counts as having a word.
 */
export type WordSearchFilters = Pick<
  RecordFilters,
  'application_key' | 'environment' | 'created_after' | 'created_before'
> &
  Within;

/** The records that a search for tokens found, by their places in the log, newest first. */
export type FoundByTokens = {
  readonly leaves: readonly number[];
  /** In how many fields each word was found at most, counted up to a bound. */
  readonly counts: readonly number[];
  /** Whether every word is in so many records that only the newest of them were looked at. */
  readonly isLimited: boolean;
};

/**
 * Tokens of words by record. No token of a text is there before its entry is committed, and none from the moment on at
 * which the erasure of the text is. Rejects with `ledger_unavailable` when the database is unavailable.
 */
export interface WordIndexStore {
  find(workspaceId: string): Promise<WordIndexRow | undefined>;
  /** Begins an index, unless there is one. */
  begin(workspaceId: string, index: WordIndexRow): Promise<void>;
  /** Takes away the salt at once, and some tokens; returns whether anything is left. */
  drop(workspaceId: string): Promise<boolean>;
  /** Whether an entry from this one on has a text that may not be indexed yet. */
  isBehind(workspaceId: string, fromLeaf: number): Promise<boolean>;
  /** What entries from this one on and before the other sealed, as far as it is still there. */
  readContents(workspaceId: string, fromLeaf: number, toLeaf: number): Promise<readonly EntryContents[]>;
  /** What is still sealed of these records and their events. */
  readRecords(workspaceId: string, recordLeaves: readonly number[]): Promise<readonly EntryContents[]>;
  /**
   * Adds the tokens of the entries between two states of the index, of contents that are still as they were read.
   * Returns whether the index was in the first state; if not, nothing is added.
   */
  add(
    workspaceId: string,
    from: WordIndexRow,
    to: WordIndexRow,
    contents: readonly TokensOfContents[],
  ): Promise<boolean>;
  /** Records that have one token of each of the words, newest first. */
  search(
    workspaceId: string,
    words: readonly (readonly Uint8Array[])[],
    filters: WordSearchFilters,
    limit: number,
  ): Promise<FoundByTokens>;
  /**
   * Which of these tokens at least one record within the limits has, by their places in the list. Of a token that many
   * records have, only some of the newest are looked at.
   */
  findKnown(workspaceId: string, tokens: readonly Uint8Array[], within: Limits): Promise<readonly number[]>;
}
