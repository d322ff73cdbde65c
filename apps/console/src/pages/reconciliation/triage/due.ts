import type { Triage } from '@answer-evidence/contracts';

const END_OF_DAY = 'T23:59:59';
const WEEK_MS = 7 * 86_400_000;

/** The last second of a day of UTC: by then something is done that is due on it. */
export function endOfDay(day: string): string {
  return `${day}${END_OF_DAY}Z`;
}

/** The day of UTC that a time is on. */
export function dayOf(at: string): string {
  return at.slice(0, 'yyyy-mm-dd'.length);
}

/** Whether it stands for a whole day. */
export function isWholeDay(at: string): boolean {
  return at.includes(END_OF_DAY);
}

/** Whether it is still open and should no longer be. */
export function isOverdue({ state, due_at: due }: Pick<Triage, 'state' | 'due_at'>, now: number): boolean {
  return state === 'open' && typeof due === 'string' && Date.parse(due) < now;
}

/** What the address says of when findings are due, as filters of the list. */
export function filterByDue(due: string | undefined, now: number): { overdue?: 'true'; due_before?: string } {
  if (due === 'overdue') return { overdue: 'true' };
  // Whole days, so that it is the same list for as long as the day lasts.
  return due === 'week' ? { due_before: endOfDay(new Date(now + WEEK_MS).toISOString().slice(0, 10)) } : {};
}
