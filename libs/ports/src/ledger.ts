import type { AppendCommand, AppendedEntries, RefusedCommand, VersionedSettings } from '@answer-evidence/ledger';

/**
 * What an append came to. Refusals are thrown as `ServiceError`. `command` is what `prepare` returned, when it was
 * called last: a command may say more than the ledger asks of it, and so carries what the preparation found out to the
 * caller.
 */
export type AppendOutcome<C extends AppendCommand = AppendCommand> =
  | {
      readonly kind: 'appended';
      readonly command: Exclude<C, RefusedCommand>;
      readonly entries: AppendedEntries;
      /** The signed checkpoint that covers the entries; every entry's proof leads to it. */
      readonly checkpoint: string;
      readonly treeSize: number;
    }
  | { readonly kind: 'replayed'; readonly command: C; readonly objectId: string };

/** What became of one of many. `reprepare`: the settings, or what it is about, are no longer as it was prepared for. */
export type AppendResult<C extends AppendCommand = AppendCommand> =
  | AppendOutcome<C>
  | { readonly kind: 'reprepare' }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * The one way to write to a workspace's log. An append that returned is committed, sequenced, integrated and covered by
 * a signed checkpoint. Appends that arrive together share one transaction; within a workspace they are decided in
 * arrival order. `prepare` is called with the settings that the process knows, and again when those were no longer in
 * force. Throws `ledger_unavailable` (nothing is known to be kept; the same request may be sent again),
 * `receipt_unavailable` (kept, but not signed; a replay delivers) or `overloaded`.
 */
export interface Ledger {
  append<C extends AppendCommand>(
    workspaceId: string,
    prepare: (settings: VersionedSettings) => C | Promise<C>,
  ): Promise<AppendOutcome<C>>;

  /**
   * Appends what is prepared already, in its order, as `append` does: each is decided by itself. Resolves when all are
   * decided, with a result for each in the same order; what `append` throws is the error of a failed one.
   */
  appendAll<C extends AppendCommand>(workspaceId: string, commands: readonly C[]): Promise<readonly AppendResult<C>[]>;
}
