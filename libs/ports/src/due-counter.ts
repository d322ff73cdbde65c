/** Counts of what a sweep of a workspace may erase. Times in microseconds. */
export interface DueCounter {
  /** How many objects are due from `from` on and before `before`, counted to `limit`. */
  countDue(workspaceId: string, from: number, before: number, limit: number): Promise<number>;
  /** How many objects there are that could be erased, due or not. */
  countKept(workspaceId: string): Promise<number>;
}
