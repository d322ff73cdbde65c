import { ServiceError } from '@answer-evidence/contracts';
import type { AppendCommand } from '@answer-evidence/ledger';
import type { AppendOutcome, AppendResult } from '@answer-evidence/ports';
import { isAppended, type Transacted } from './transact.ts';

/** A request that waits for its batch. */
export type Waiting = {
  readonly command: AppendCommand;
  readonly settle: (result: AppendResult) => void;
};

/** The result of a request that was not appended, or not known to be. */
export function failed(error: unknown): AppendResult {
  return { kind: 'failed', error };
}

/** What settling a committed batch needs. */
export type ResolveDeps = {
  /** Signs the checkpoint of the committed tree by the log's keys at that size; may throw. */
  readonly sign: (treeSize: number, root: Uint8Array) => string;
  /** Loads the outcome of a command that an earlier, lost attempt appended. */
  readonly readAppended: (command: AppendCommand) => Promise<AppendOutcome>;
};

/**
 * Gives every request of a committed batch its outcome. One checkpoint is signed for all of them; when that fails, what
 * was appended stays, its requests are refused with `receipt_unavailable`, and a replay delivers.
 */
export function resolveBatch(
  batch: readonly Waiting[],
  { plan, remembered, appended }: Transacted,
  { sign, readAppended }: ResolveDeps,
): void {
  const { treeSize } = remembered.head;
  let checkpoint: string | undefined;
  let planned = 0;
  for (const waiting of batch) {
    if (isAppended(waiting.command, appended)) {
      readAppended(waiting.command).then(waiting.settle, (error: unknown) => waiting.settle(failed(error)));
      continue;
    }
    const outcome = plan.outcomes[planned++];
    if (outcome === undefined) throw new Error('every command has an outcome');
    switch (outcome.kind) {
      case 'appended':
        try {
          checkpoint ??= sign(treeSize, plan.root);
        } catch (error) {
          waiting.settle(failed(receiptUnavailable(error)));
          break;
        }
        waiting.settle({
          kind: 'appended',
          command: waiting.command,
          entries: outcome.entries,
          checkpoint,
          treeSize,
        });
        break;
      case 'replayed':
        waiting.settle({ kind: 'replayed', command: waiting.command, objectId: outcome.objectId });
        break;
      case 'refused':
        waiting.settle(failed(outcome.error));
        break;
      case 'reprepare':
        waiting.settle({ kind: 'reprepare' });
        break;
    }
  }
}

function receiptUnavailable(cause: unknown): ServiceError {
  const detail = 'recorded but not signed yet; retry the same request';
  return new ServiceError('receipt_unavailable', detail, { remedy: 'retry', cause });
}
