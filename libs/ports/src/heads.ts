import type { KnownPayload } from '@answer-evidence/contracts';

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
 * Why a head cannot be trusted.
 * - `row_refused`: the database's row is missing, its MAC is wrong, or it is behind or beside one that was seen.
 * - `log_refused`: the log is behind or beside what was kept or published, or its key is not the ledger's.
 * - `kept_unreadable`: the head kept outside exists and cannot be read.
 */
type HeadErrorCode = 'row_refused' | 'log_refused' | 'kept_unreadable';

/** A head that cannot be trusted: nothing may be signed or written on top of it. The message says what to do. */
export class HeadError extends Error {
  override readonly name = 'HeadError';
  readonly code: HeadErrorCode;

  constructor(code: HeadErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Heads kept where a restore of the database does not reach, so that a log cannot be rolled back unnoticed. A write is
 * durable when it returns. One writer a workspace at a time is the caller's business; a stored head never gets smaller.
 */
export interface HeadStore {
  /** Undefined when this workspace has none yet. Throws when there is one that cannot be read. */
  find(workspaceId: string): Promise<OutsideHead | undefined>;
  /** Keeps the head unless the stored one is as large or larger. Refuses one of another origin. */
  keep(head: OutsideHead): Promise<void>;
  /** Continues with a log of another origin, of any size; the head of `ended`, the stored origin, is kept beside it. */
  moveOn(head: OutsideHead, ended: string): Promise<void>;
  /** Every origin that the log has had before the stored one. */
  findEnded(workspaceId: string): Promise<readonly string[]>;
  /** Adds redactions to those that are kept; durable when it returns. One that is there already changes nothing. */
  keepRedactions(workspaceId: string, redactions: readonly OutsideRedaction[]): Promise<void>;
  /** Whether they were ever kept, an empty list counted. As cheap however many there are. */
  hasRedactions(workspaceId: string): Promise<boolean>;
  /** Every kept redaction in order; undefined when none was ever kept, not even an empty list. */
  findRedactions(workspaceId: string): Promise<readonly OutsideRedaction[] | undefined>;
}

/** A redaction, remembered so that a restored database can be made to forget again what it had forgotten. */
export type OutsideRedaction = {
  readonly recordId: string;
  readonly eventId: string;
  /** The event's payload, as far as it stands in its core. */
  readonly payload: KnownPayload;
};
