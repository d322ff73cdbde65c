import { sweepConfirmedCore } from '@answer-evidence/contracts';
import { parseJsonText, parseTimestamp } from '@answer-evidence/encoding';
import { isShareImplausible } from '@answer-evidence/lifecycle';
import type { DueCounter } from './due-counter.ts';
import type { LogStore } from './stores.ts';

/** What a sweep does not erase until an operator confirms it. */
export type SweepHold = { readonly due: number; readonly kept: number };

/** As many as are due at once in any case. */
const SWEEP_FREE_MAX = 100;
const ALL = Number.MAX_SAFE_INTEGER;

/**
 * What of a workspace is due at once and more than a sweep erases without an operator's word; undefined when it may go
 * on. What was due before the newest confirmation is not counted.
 */
export async function findSweepHold(
  logs: Pick<LogStore, 'workspaceEntries'>,
  counter: DueCounter,
  workspaceId: string,
  nowMicros: number,
): Promise<SweepHold | undefined> {
  if ((await counter.countDue(workspaceId, 0, nowMicros, SWEEP_FREE_MAX + 1)) <= SWEEP_FREE_MAX) return undefined;
  const confirmed = (await logs.workspaceEntries(workspaceId, 'sweep_confirmed')).at(-1);
  const from =
    confirmed === undefined
      ? 0
      : parseTimestamp(sweepConfirmedCore.parse(parseJsonText(confirmed.core_json)).due_before);
  const due = await counter.countDue(workspaceId, from, nowMicros, ALL);
  if (due <= SWEEP_FREE_MAX) return undefined;
  const kept = await counter.countKept(workspaceId);
  return isShareImplausible(due, kept) ? { due, kept } : undefined;
}
