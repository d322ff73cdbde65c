import type { TokenSummary } from '@answer-evidence/contracts';

const DAY_MS = 86_400_000;
/** Days before its end on which a token wants attention; of a short life the last quarter, as on the overview. */
const SOON_DAYS = 7;
const LAST_PART = 4;

/** How many days a token has left, the one that it ends on counted; null while that is not soon, or once it is over. */
export function daysLeft(
  { created_at: from, expires_at: to }: Pick<TokenSummary, 'created_at' | 'expires_at'>,
  nowMs: number,
): number | null {
  const end = Date.parse(to);
  const left = end - nowMs;
  const soon = Math.min(SOON_DAYS * DAY_MS, (end - Date.parse(from)) / LAST_PART);
  return left <= 0 || left >= soon ? null : Math.ceil(left / DAY_MS);
}
