import type { AnchorState } from '@answer-evidence/contracts';
import { MICROS_PER_SECOND } from '@answer-evidence/encoding';
import type { StoredAnchor } from '@answer-evidence/ports';
import type { AttemptRow } from '@answer-evidence/tables';
import { notAhead } from '../not-ahead.ts';

const FIRST_PAUSE_SECONDS = 30;
const PAUSE_SECONDS_MAX = 3_600;

/** The attempt that confirmed an anchor, or undefined. */
export function confirmationOf({ attempts }: StoredAnchor): AttemptRow | undefined {
  return attempts.find(({ outcome }) => outcome === 'confirmed');
}

/** How far an anchor is. It is given up for a larger tree's, or when the policy no longer has it. */
export function anchorStateOf(
  stored: StoredAnchor,
  now: { readonly newestSize: number; readonly anchorIds: ReadonlySet<string> },
): AnchorState {
  if (confirmationOf(stored) !== undefined) return 'confirmed';
  const { tree_size: size, anchor_id: id } = stored.anchor;
  return size < now.newestSize || !now.anchorIds.has(id) ? 'failed' : 'pending';
}

/** When a pending anchor is tried next (µs): at once, then after twice the last pause each time, up to an hour. */
export function nextAttemptAt({ anchor, attempts }: StoredAnchor, nowMicros: number): number {
  const last = attempts.at(-1);
  if (last === undefined) return notAhead(anchor.created_at, nowMicros);
  return notAhead(last.at, nowMicros) + pauseAfter(attempts.length);
}

/** How long an anchor is left alone after so many attempts (µs). */
export function pauseAfter(attempts: number): number {
  return Math.min(FIRST_PAUSE_SECONDS * 2 ** (attempts - 1), PAUSE_SECONDS_MAX) * MICROS_PER_SECOND;
}
