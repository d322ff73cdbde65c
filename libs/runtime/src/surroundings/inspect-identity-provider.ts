import { openIdentityProvider } from '@answer-evidence/openid-connect';
import { fault, type Finding, fine, skipped } from '@answer-evidence/ports';
import type { Config } from '../start/config.ts';
import { findingOf } from './look.ts';

const NAME = 'oidc.provider';
/** What a provider says of a code that it never issued, once it has accepted the client. */
const CLIENT_ACCEPTED = ['provider_says_invalid_grant', 'provider_says_invalid_request'];

/**
 * Whether people can sign in at the OpenID provider: reads its description, and has it judge the client by a code that
 * it never issued, which says more than the description does. Nobody is signed in.
 */
export async function inspectIdentityProvider(config: Config): Promise<Finding> {
  const { SERVICE_OIDC_ISSUER: issuer, SERVICE_OIDC_CLIENT_ID: clientId, SERVICE_OIDC_CLIENT_SECRET: secret } = config;
  if (issuer === undefined || clientId === undefined || secret === undefined)
    return findingOf(NAME, skipped('SERVICE_OIDC_ISSUER is not set; people sign in with passwords'));
  const claim = config.SERVICE_OIDC_CLAIM;
  const told: { unreachable?: string; refusal?: string } = {};
  const provider = openIdentityProvider(
    { issuer, clientId, clientSecret: () => secret, claim },
    { onUnreachable: (why) => (told.unreachable = why), onRefused: (reason) => (told.refusal = reason) },
  );
  const attempt = { state: 'doctor', nonce: 'doctor', verifier: 'd'.repeat(43) };
  const returned = new URL(`${config.SERVICE_BASE_URL ?? 'http://localhost'}?code=doctor&state=doctor`);
  await provider.finish(attempt, returned).catch(() => undefined);
  if (told.unreachable !== undefined) return findingOf(NAME, fault(told.unreachable));
  const { refusal } = told;
  if (refusal !== undefined && CLIENT_ACCEPTED.includes(refusal))
    return findingOf(NAME, fine(`${issuer} accepts the client; the claim "${claim}" names members`));
  if (refusal === 'provider_says_invalid_client')
    return findingOf(
      NAME,
      fault(
        `${issuer} does not accept the client; correct SERVICE_OIDC_CLIENT_ID and SERVICE_OIDC_CLIENT_SECRET, and ` +
          'permit client_secret_basic there',
      ),
    );
  return findingOf(
    NAME,
    fault(`${issuer} responds unexpectedly (${refusal ?? 'unavailable'}); try again, or ask its operator`),
  );
}
