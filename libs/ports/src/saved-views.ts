import type { ViewFilters } from '@answer-evidence/contracts';

/** A list of records under a name. `createdAt` in microseconds. */
export type StoredView = {
  readonly id: string;
  readonly name: string;
  readonly filters: ViewFilters;
  readonly createdBy: string;
  readonly createdAt: number;
};

/** The views that members of a workspace share. Nothing in a log depends on them. Throws `ledger_unavailable`. */
export interface SavedViewStore {
  /** By name. */
  list(workspaceId: string): Promise<readonly StoredView[]>;
  /** Adds a view, unless its name is taken or the workspace has `max` of them; durable when it returns. */
  add(workspaceId: string, view: StoredView, max: number): Promise<'added' | 'name_taken' | 'limit_reached'>;
  /** Whether there was one to remove. */
  remove(workspaceId: string, viewId: string): Promise<boolean>;
}
