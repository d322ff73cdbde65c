/** What ties one attempt to sign in to the browser that began it. Each is fresh and cannot be guessed. */
export type SignInAttempt = {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
};

/** Whom a provider vouches for. */
export type ProvenIdentity = {
  /** The value of the claim that names members, as the provider sent it. */
  readonly name: string;
  /** It is an e-mail address that the provider has verified: then capitals mean nothing. */
  readonly isVerifiedAddress: boolean;
};

/** A provider of OpenID Connect whose word on who somebody is the operator trusts. */
export interface IdentityProvider {
  /** Where to send the browser. Throws `overloaded` while the provider cannot be reached. */
  begin(attempt: SignInAttempt, callbackUrl: string): Promise<string>;
  /**
   * Whom the provider vouches for, from the address with which the browser came back. Throws `login_failed` unless
   * everything belongs to this attempt and names somebody, and `overloaded` while the provider is unavailable.
   */
  finish(attempt: SignInAttempt, returned: URL): Promise<ProvenIdentity>;
}
