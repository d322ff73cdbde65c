import { openIdentityProvider, type ProviderDescription } from '@answer-evidence/openid-connect';
import { type CheckResult, fault, type Finding, fine, skipped } from '@answer-evidence/ports';
import type { Config } from '../ground/config.ts';
import { parseGroupRules } from '../ground/group-rules.ts';
import { findingOf } from './look.ts';

const NAME = 'oidc.provider';
/** What a provider says of a code that it never issued, once it has accepted the client. */
const CLIENT_ACCEPTED = ['provider_says_invalid_grant', 'provider_says_invalid_request'];

/** What else it may say of such a code, and what to do. */
const REFUSALS: Readonly<Record<string, string>> = {
  provider_says_invalid_client:
    'does not accept the client; correct SERVICE_OIDC_CLIENT_ID and SERVICE_OIDC_CLIENT_SECRET, and permit ' +
    'client_secret_basic there',
  provider_says_unauthorized_client:
    'does not let this client use authorization codes; permit the authorization code flow for it there',
  provider_says_unsupported_grant_type: 'has no authorization codes for this client; permit the flow for it there',
  provider_says_access_denied:
    'refuses the client; correct SERVICE_OIDC_CLIENT_SECRET, and permit client_secret_basic there',
  provider_says_redirect_uri_mismatch:
    'does not know the address to come back to; register /console/sign-in/callback below SERVICE_BASE_URL there',
};

/**
 * Whether people can sign in at the OpenID provider: reads its description, and has it judge the client by a code that
 * it never issued, which says more than the description does. Nobody is signed in.
 */
export async function inspectIdentityProvider(config: Config): Promise<readonly Finding[]> {
  const { SERVICE_OIDC_ISSUER: issuer, SERVICE_OIDC_CLIENT_ID: clientId, SERVICE_OIDC_CLIENT_SECRET: secret } = config;
  if (issuer === undefined || clientId === undefined || secret === undefined)
    return [findingOf(NAME, skipped('SERVICE_OIDC_ISSUER is not set; people sign in with passwords'))];
  const claim = config.SERVICE_OIDC_CLAIM;
  const told: { unreachable?: string; refusal?: string } = {};
  const provider = openIdentityProvider(
    { issuer, clientId, clientSecret: () => secret, claim },
    { onUnreachable: (why) => (told.unreachable = why), onRefused: (reason) => (told.refusal = reason) },
  );
  const attempt = { state: 'doctor', nonce: 'doctor', verifier: 'd'.repeat(43) };
  const returned = new URL(`${config.SERVICE_BASE_URL ?? 'http://localhost'}?code=doctor&state=doctor`);
  await provider.finish(attempt, returned).catch(() => undefined);
  if (told.unreachable !== undefined) return [findingOf(NAME, fault(told.unreachable))];
  const description = await provider.describe();
  return [
    findingOf(NAME, judgeClient(issuer, told.refusal)),
    ...(description === undefined ? [] : [...findGaps(description, claim), ...findGroupGaps(description, config)]),
  ];
}

function judgeClient(issuer: string, refusal: string | undefined): CheckResult {
  if (refusal !== undefined && CLIENT_ACCEPTED.includes(refusal)) return fine(`${issuer} accepts the client`);
  const known = refusal === undefined ? undefined : REFUSALS[refusal];
  if (known !== undefined) return fault(`${issuer} ${known}`);
  return fault(`${issuer} responds unexpectedly (${refusal ?? 'unavailable'}); try again, or ask its operator`);
}

/** What a provider that has a list does not have in it. Such a list need not be complete, so this refuses nothing. */
function findGaps(description: ProviderDescription, claim: string): readonly Finding[] {
  const { claims, clientAuthentication, scopes } = description;
  const lacks = (list: readonly string[], value: string) => list.length > 0 && !list.includes(value);
  const named = `its claim "${claim}" names members`;
  const gaps = [
    lacks(claims, claim) && `its list of claims has no "${claim}"; choose another SERVICE_OIDC_CLAIM, or link members`,
    claim === 'email' &&
      lacks(claims, 'email_verified') &&
      'its list of claims has no "email_verified", without which "email" names nobody; choose another ' +
        'SERVICE_OIDC_CLAIM, or link members',
    lacks(clientAuthentication, 'client_secret_basic') &&
      'its list of client authentication has no "client_secret_basic", which the service uses',
    lacks(scopes, 'email') && claim === 'email' && 'its list of scopes has no "email"',
  ].filter((gap) => gap !== false);
  if (gaps.length === 0) return [findingOf('oidc.claim', fine(named))];
  return gaps.map((text) => ({ name: 'oidc.claim', outcome: 'WARN', text: `${description.issuer}: ${text}` }));
}

/** Whether people would bring groups, as far as the description tells, and which rows of the table count for nobody. */
function findGroupGaps({ issuer, claims }: ProviderDescription, config: Config): readonly Finding[] {
  const { SERVICE_OIDC_GROUPS: table, SERVICE_OIDC_GROUPS_CLAIM: claim } = config;
  if (table === undefined) return [];
  const rules = parseGroupRules(table);
  const shadowed = rules.flatMap(({ group }, row) => {
    const first = rules.findIndex((one) => one.group === group);
    return first === row
      ? []
      : [`row ${row + 1} of SERVICE_OIDC_GROUPS counts for nobody: row ${first + 1} has its group`];
  });
  const gaps = [
    ...(claims.length > 0 && !claims.includes(claim)
      ? [
          `${issuer}: its list of claims has no "${claim}"; have it put the groups into ID tokens, or set ` +
            'SERVICE_OIDC_GROUPS_CLAIM: nobody signs in without a group of the table',
        ]
      : []),
    ...shadowed,
  ];
  const found = claims.includes(claim) ? 'is in its list of claims' : 'is expected; its description lists no claims';
  if (gaps.length === 0) return [{ name: 'oidc.groups', outcome: 'PASS', text: `the claim "${claim}" ${found}` }];
  return gaps.map((text) => ({ name: 'oidc.groups', outcome: 'WARN', text }));
}
