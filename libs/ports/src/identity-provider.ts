import type { ProviderLink } from '@answer-evidence/contracts';

/** What ties one attempt to sign in to the browser that began it. Each is fresh and cannot be guessed. */
export type SignInAttempt = {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
};

/** What a provider calls somebody, in the claim that names members. */
export type ProvenName = {
  /** The value of the claim that names members, as the provider sent it. */
  readonly name: string;
  /** It is an e-mail address that the provider has verified: then capitals mean nothing. */
  readonly isVerifiedAddress: boolean;
};

/** In which groups somebody is at a provider; or a word for why the provider's response does not say it. */
export type ProvenGroups = { readonly names: ReadonlySet<string> } | { readonly reason: string };

/** Whom a provider vouches for: the subject of an issuer, which is one person for ever. */
export type ProvenIdentity = ProviderLink & {
  /**
   * Their name. Undefined if the claim names nobody, and the operator is told why. Throws `login_failed` and
   * `overloaded` as `finish` does, since the provider may be asked once more.
   */
  readName(): Promise<ProvenName | undefined>;
  /** Their groups, from the claim that has them; none where there is no such claim. Throws as `readName` does. */
  readGroups(): Promise<ProvenGroups>;
};

/** A provider of OpenID Connect whose word on who somebody is the operator trusts. */
export interface IdentityProvider {
  /** Where to send the browser. Throws `overloaded` while the provider cannot be reached. */
  begin(attempt: SignInAttempt, callbackUrl: string): Promise<string>;
  /**
   * Whom the provider vouches for, from the address with which the browser came back. Throws `login_failed` unless
   * everything belongs to this attempt, and `overloaded` while the provider is unavailable.
   */
  finish(attempt: SignInAttempt, returned: URL): Promise<ProvenIdentity>;
}
