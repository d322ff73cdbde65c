import * as oidc from 'openid-client';
import type { ProvenName } from '@answer-evidence/ports';
import { hasGroups } from './proven-groups.ts';

type Claims = Readonly<Record<string, unknown>>;

/** What a verified ID token says, and what opens the user information. */
export type IdToken = { readonly claims: oidc.IDToken; readonly accessToken: string };

/** Why a provider that works names nobody who could be a member. */
type NameFault =
  | 'no_id_token'
  | 'no_subject'
  | 'claim_missing'
  | 'claim_not_a_text'
  | 'email_not_verified'
  | 'claims_differ';

/** Why the claim names nobody; a word. */
export class NameError extends Error {
  override readonly name = 'NameError';
  readonly fault: NameFault;

  constructor(fault: NameFault) {
    super(fault);
    this.fault = fault;
  }
}

/** What a provider may say of a fault; its other words are not repeated. */
const CODE = /^[A-Za-z_]{1,60}$/;

/** Longest subject (OpenID Connect Core 1.0, section 2). */
const SUBJECT_LENGTH_MAX = 255;

/**
 * The claims of the ID token, whose signature the library has verified. A subject that is empty, or longer than any may
 * be, is nobody: all who have it would be one person.
 */
export function claimsOf(tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers): oidc.IDToken {
  const claims = tokens.claims();
  if (claims === undefined) throw new NameError('no_id_token');
  if (claims.sub.trim() === '' || claims.sub.length > SUBJECT_LENGTH_MAX) throw new NameError('no_subject');
  return claims;
}

/**
 * What the provider says of a person, in the ID token and in the user information together: some put a claim into the
 * one, others into the other (OpenID Connect Core 1.0, section 5.4). The user information is asked for only where the
 * ID token does not say it all.
 */
export async function readClaims(
  configuration: oidc.Configuration,
  { claims, accessToken }: IdToken,
  claim: string,
): Promise<Claims> {
  const isWhole = claims[claim] !== undefined && (claim !== 'email' || claims['email_verified'] !== undefined);
  // The library refuses the information of another subject than that of the ID token.
  return isWhole ? claims : joinClaims(claims, await oidc.fetchUserInfo(configuration, accessToken, claims.sub));
}

/** The same for the claim of groups: the user information is asked for where the ID token says nothing of it. */
export async function readGroupClaims(
  configuration: oidc.Configuration,
  { claims, accessToken }: IdToken,
  claim: string,
): Promise<Claims> {
  const isAsked = configuration.serverMetadata().userinfo_endpoint !== undefined;
  if (hasGroups(claims, claim) || !isAsked) return claims;
  return joinClaims(claims, await oidc.fetchUserInfo(configuration, accessToken, claims.sub));
}

/** What is signed counts first. Of two addresses, it would be unclear which one was verified. */
function joinClaims(claims: Claims, information: Claims): Claims {
  const [signed, told] = [claims['email'], information['email']];
  if (typeof signed === 'string' && typeof told === 'string' && signed.toLowerCase() !== told.toLowerCase())
    throw new NameError('claims_differ');
  return { ...information, ...claims };
}

/** Whom the claim names. */
export function nameFrom(claims: Claims, claim: string): ProvenName {
  const name = claims[claim];
  if (name === undefined) throw new NameError('claim_missing');
  if (typeof name !== 'string' || name === '') throw new NameError('claim_not_a_text');
  // Anyone may enter the address of somebody else at a provider that does not verify it.
  if (claim === 'email' && claims['email_verified'] !== true) throw new NameError('email_not_verified');
  return { name, isVerifiedAddress: claim === 'email' };
}

/** A word for why a sign-in was refused, for the operator's log. */
export function reasonOf(error: unknown): string {
  if (error instanceof NameError) return error.fault;
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError)
    return CODE.test(error.error) ? `provider_says_${error.error}` : 'provider_says_something_else';
  const code = error instanceof oidc.ClientError ? error.code : undefined;
  return code !== undefined && CODE.test(code) ? code.toLowerCase() : 'response_not_valid';
}
