import { skip, type Verdict } from './verdict.ts';
import type { LogGap, LogView } from './verify-options.ts';

const NAMED_MAX = 3;

/** What a copy of the log lacks of its first `treeSize` leaves; nothing of a log that is whole. */
export async function findGaps(log: LogView | undefined, treeSize: number): Promise<readonly LogGap[]> {
  return (await log?.gapsBelow?.(treeSize)) ?? [];
}

/** Whether the copy lacks the entry of a leaf. */
export function isInGap(gaps: readonly LogGap[], leafIndex: number): boolean {
  return gaps.some(({ from, to }) => from <= leafIndex && leafIndex < to);
}

/** SKIP by what is missing, and what could not be decided without it. What is there has to be checked before. */
export function skipForGaps(gaps: readonly LogGap[], undecided: string): Verdict {
  const paths = gaps.slice(0, NAMED_MAX).map(({ path }) => path);
  const more = gaps.length > NAMED_MAX ? ` and ${gaps.length - NAMED_MAX} more` : '';
  return skip(`the given log lacks ${paths.join(', ')}${more}: ${undecided}`);
}
