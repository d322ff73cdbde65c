import type { WorkspaceEntryFilters } from '@answer-evidence/contracts';
import type { LeafRow, WorkspaceEntryRow } from '@answer-evidence/tables';
import type { FoundPage, LeafPage } from './leaf-page.ts';

/** An entry about the workspace with its leaf. */
export type StoredEntry = {
  readonly row: WorkspaceEntryRow;
  readonly leaf: LeafRow;
  /** For settings and policies: the core of the version before, if there was one. */
  readonly before: WorkspaceEntryRow | undefined;
};

/** What ids of members and tokens are called. */
export type StoredNames = {
  readonly members: ReadonlyMap<string, string>;
  readonly tokens: ReadonlyMap<string, string>;
};

/** Reads of the entries about a workspace; no record is read. Throws `StoredDamageError`. */
export interface WorkspaceEntryStore {
  /** Newest first. */
  list(workspaceId: string, filters: WorkspaceEntryFilters, page: LeafPage): Promise<FoundPage<StoredEntry>>;
  find(workspaceId: string, entryId: string): Promise<StoredEntry | undefined>;
  /**
   * The entries about links to this record, newest first: the last of each type about each link, at most the newest
   * 1,000.
   */
  aboutProofLinks(workspaceId: string, recordId: string): Promise<readonly StoredEntry[]>;
  /** The names of those of the ids that a member or a token has, also a former one. */
  namesOf(workspaceId: string, ids: readonly string[]): Promise<StoredNames>;
}
