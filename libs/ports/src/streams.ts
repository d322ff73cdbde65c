import type { LeafRow, StreamRow, StreamStateRow } from '@answer-evidence/tables';

/** A stream with how far it is. `oldestAt`: of when the first entry is that it has still to send. */
export type StoredStream = {
  readonly row: StreamRow;
  readonly state: StreamStateRow;
  readonly waiting: number;
  readonly oldestAt: number | null;
};

/** The streams that are not removed, oldest first, and the version of all of them together. */
export type StoredStreams = { readonly version: number; readonly streams: readonly StoredStream[] };

/** A place of the log with what is stored of it, whether or not anything there was altered. */
export type StoredPlace = {
  readonly leafIndex: number;
  /** Undefined: the row is missing. */
  readonly leaf: LeafRow | undefined;
  /** The JCS text of the core that its object has by its columns; undefined: the object is missing or not readable. */
  readonly coreText: string | undefined;
};

/** A stream that one process sends, until `until`. */
export type StreamLease = {
  readonly row: StreamRow;
  readonly until: number;
  readonly treeSize: number;
  /** Failed attempts since the last one that succeeded. */
  readonly failures: number;
};

/** All streams together: how many entries wait, since when the oldest of them, and how many streams fail. */
export type StreamBacklog = {
  readonly waiting: number;
  readonly oldestAt: number | undefined;
  readonly failing: number;
};

/**
 * Streams of a log to outside, and how far each of them is. Every method is one transaction, and may be called by
 * several processes at once. Throws `ledger_unavailable`.
 */
export interface StreamStore {
  /** Changes of streams are the log's (`createStreamCommand`). */
  streams(workspaceId: string): Promise<StoredStreams>;
  findStream(workspaceId: string, streamId: string): Promise<StoredStream | undefined>;

  /** Ids of the streams that have something to send, are not paused and that no process sends now. */
  dueStreams(workspaceId: string): Promise<readonly string[]>;
  /** Takes a due stream for this process until `until`; undefined when it is no longer due. */
  lease(workspaceId: string, streamId: string, until: number): Promise<StreamLease | undefined>;
  /** At most `limit` places of the log from `from` on: one for each index, also where nothing is stored. */
  readPlaces(workspaceId: string, from: number, limit: number): Promise<readonly StoredPlace[]>;
  /**
   * Moves the stream on to `treeSize`, since the destination has confirmed everything before it, and goes on with the
   * lease until `until`. Undefined, and nothing is moved, if the stream was changed or another process took it.
   */
  confirm(workspaceId: string, lease: StreamLease, treeSize: number, until: number): Promise<StreamLease | undefined>;
  /**
   * Notes a failed attempt. With `goesBack`, what was sent shortly before is sent again, since a destination that does
   * not confirm may have lost it.
   */
  noteFailure(
    workspaceId: string,
    lease: StreamLease,
    failure: { readonly error: string; readonly pausedUntil: number; readonly goesBack: boolean },
  ): Promise<void>;
  /** Lets the stream go; it is due again at `dueAt`. */
  release(workspaceId: string, lease: StreamLease, dueAt: number): Promise<void>;
  /** What waits in all streams of a workspace. */
  readBacklog(workspaceId: string): Promise<StreamBacklog>;
}
