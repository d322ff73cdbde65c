import type { TokenRow } from '@answer-evidence/contracts';

/** The columns that say how long a token is good. */
export type TokenLife = Pick<TokenRow, 'expires_at' | 'revoked_at' | 'overlap_until' | 'cut_at'>;

/** From when on a token is no longer good because somebody ended it, in microseconds; null: nobody did. It may lie ahead. */
export function tokenRevokedFrom(token: TokenLife): number | null {
  return token.cut_at ?? token.overlap_until ?? token.revoked_at;
}

/** The first microsecond at which a token is no longer good, whatever ends it. */
export function tokenEndsAt(token: TokenLife): number {
  return Math.min(token.expires_at, tokenRevokedFrom(token) ?? token.expires_at);
}
