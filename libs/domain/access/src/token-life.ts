import type { TokenRow } from '@answer-evidence/tables';

/** So far the clocks of processes may be apart; what a clock guard takes for plausible. */
const APART_MICROS_MAX = 300_000_000;

/** The columns that say how long a token is good. */
type TokenLife = Pick<TokenRow, 'expires_at' | 'revoked_at' | 'overlap_until' | 'cut_at'>;

/** When a token was ended by somebody, in microseconds, possibly ahead; null when nobody has ended it. */
export function tokenRevokedFrom(token: TokenLife): number | null {
  return token.cut_at ?? token.overlap_until ?? token.revoked_at;
}

/** The first microsecond at which a token is no longer good, whatever ends it. */
export function tokenEndsAt(token: TokenLife): number {
  return Math.min(token.expires_at, tokenRevokedFrom(token) ?? token.expires_at);
}

/** Whether somebody ends a token before it expires: what its bearer is told once it has ended. */
export function isTokenCut(token: TokenLife): boolean {
  return tokenEndsAt(token) < token.expires_at;
}

/**
 * Whether a token was issued while a clock was far ahead, by the present time. It would last for as much longer, and
 * nobody knows how long ago that was.
 */
export function isTokenAhead({ created_at: createdAt }: Pick<TokenRow, 'created_at'>, nowMicros: number): boolean {
  return createdAt > nowMicros + APART_MICROS_MAX;
}
