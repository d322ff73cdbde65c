import type { ReducedItem } from '../read/reduced-item.ts';

type Timed = Pick<ReducedItem, 'spanId' | 'startedAtUnixNano' | 'endedAtUnixNano'>;

/** By the start; of two that start together by their ids, so that the order of the items means nothing. */
export function isEarlier(a: Timed, b: Timed): boolean {
  const [startA, startB] = [a.startedAtUnixNano, b.startedAtUnixNano];
  return startA === startB ? (a.spanId ?? '') < (b.spanId ?? '') : startA < startB;
}

/** By the end; of two that end together by their ids. */
export function isLater(a: Timed, b: Timed): boolean {
  const [endA, endB] = [a.endedAtUnixNano, b.endedAtUnixNano];
  return endA === endB ? (a.spanId ?? '') > (b.spanId ?? '') : endA > endB;
}
