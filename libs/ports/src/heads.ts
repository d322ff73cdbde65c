/** A log's head as it is remembered outside the database. */
export type OutsideHead = {
  readonly workspaceId: string;
  readonly origin: string;
  readonly treeSize: number;
  /** Root at that size, hex. */
  readonly rootHash: string;
  /** Which database cluster this log was in. */
  readonly systemIdentifier: string;
};

/**
 * Heads kept where a restore of the database does not reach, so that a log cannot be rolled back unnoticed. A write is
 * durable when it returns. One writer a workspace at a time is the caller's business; a stored head never gets smaller.
 */
export interface OutsideHeads {
  /** Undefined when this workspace has none yet. Throws when there is one that cannot be read. */
  find(workspaceId: string): Promise<OutsideHead | undefined>;
  /** Keeps the head, unless the stored one is of the same or a larger size. */
  keep(head: OutsideHead): Promise<void>;
}
