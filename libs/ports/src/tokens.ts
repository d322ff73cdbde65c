import type { Scope } from '@answer-evidence/contracts';

/** What an application JWT says. Times in microseconds. */
export type ApplicationClaims = {
  readonly tokenId: string;
  readonly workspaceId: string;
  readonly applicationKey: string;
  readonly scopes: readonly Scope[];
  readonly issuedAt: number;
  readonly expiresAt: number;
};

/** Signs and checks application JWTs (RFC 9068 profile, EdDSA only). */
export interface ApplicationTokens {
  sign(claims: ApplicationClaims): Promise<string>;
  /**
   * The claims when signature, issuer, audience, type and time hold; `expired` when all but the time does, and that was
   * right earlier; else undefined. `nowMicros` is the time to judge by. Rejects when the token names a key
   * that this service does not know and the keys cannot be read: it may be a good one.
   */
  verify(token: string, nowMicros: number): Promise<ApplicationClaims | 'expired' | undefined>;
  /** The public keys as a JWK set (RFC 7517): the one that signs next, and all that verify at this time. */
  publicKeys(nowMicros: number): { readonly keys: readonly Readonly<Record<string, string>>[] };
}
