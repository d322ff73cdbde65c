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
  readonly sign: (treeSize: number, root: Uint8Array) => string | Promise<string>;
  /** Loads the outcome of a command that an earlier, lost attempt appended. */
  readonly readAppended: (command: AppendCommand) => Promise<AppendOutcome>;
};

/** The checkpoint of a batch, or why there is none. */
type Signed = { readonly checkpoint: string } | { readonly failure: unknown };

/**
 * Gives every request of a committed batch its outcome: in this turn of the event loop, unless a key of the log is
 * outside of this process. One checkpoint is signed for all of them; when that fails, what was appended stays, its
 * requests are refused with `receipt_unavailable`, and a replay delivers. The promise never rejects.
 */
export function resolveBatch(
  batch: readonly Waiting[],
  transacted: Transacted,
  deps: ResolveDeps,
): Promise<void> | undefined {
  const { plan, remembered } = transacted;
  const settle = (signed: Signed | undefined) => settleBatch(batch, transacted, deps, signed);
  if (!plan.outcomes.some(({ kind }) => kind === 'appended')) return settle(undefined);
  try {
    const checkpoint = deps.sign(remembered.head.treeSize, plan.root);
    if (typeof checkpoint === 'string') return settle({ checkpoint });
    return checkpoint.then(
      (text) => settle({ checkpoint: text }),
      (failure: unknown) => settle({ failure }),
    );
  } catch (failure) {
    return settle({ failure });
  }
}

function settleBatch(
  batch: readonly Waiting[],
  { plan, remembered, appended }: Transacted,
  { readAppended }: ResolveDeps,
  signed: Signed | undefined,
): undefined {
  const { treeSize } = remembered.head;
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
        if (signed === undefined || 'failure' in signed) {
          waiting.settle(failed(receiptUnavailable(signed?.failure)));
          break;
        }
        waiting.settle({
          kind: 'appended',
          command: waiting.command,
          entries: outcome.entries,
          checkpoint: signed.checkpoint,
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
  return undefined;
}

function receiptUnavailable(cause: unknown): ServiceError {
  const detail = 'recorded but not signed yet; retry the same request';
  return new ServiceError('receipt_unavailable', detail, { remedy: 'retry', cause });
}
