import * as oidc from 'openid-client';
import { ServiceError } from '@answer-evidence/contracts';
import type { IdentityProvider } from '@answer-evidence/ports';

/** How the operator registered the service at the provider. */
export type ProviderSettings = {
  readonly issuer: string;
  readonly clientId: string;
  /** Asked at each sign-in, since it may change. */
  readonly clientSecret: () => string;
  /** The claim whose value is the name of a member. */
  readonly claim: string;
};

const SCOPES = 'openid profile email';
const TIMEOUT_SECONDS = 10;
/** What a provider that works, but is overloaded or restarting, responds. */
const UNAVAILABLE_FROM = 500;

/**
 * A provider whose description is read at the first use, and again at the next one if that failed. `onUnreachable`
 * hears of each failure to read it, for the operator.
 */
export function openIdentityProvider(
  settings: ProviderSettings,
  onUnreachable: (why: string) => void,
): IdentityProvider & { /** Reads the description now. Never throws. */ warmUp(): Promise<void> } {
  let known: Promise<oidc.Configuration> | undefined;

  function configure(): Promise<oidc.Configuration> {
    known ??= discover(settings).catch((cause: unknown) => {
      known = undefined;
      onUnreachable(`the OpenID provider ${settings.issuer} cannot be used: ${describe(cause)}`);
      throw unavailable(cause);
    });
    return known;
  }

  return {
    async warmUp() {
      await configure().catch(() => undefined);
    },
    async begin({ state, nonce, verifier }, callbackUrl) {
      const address = oidc.buildAuthorizationUrl(await configure(), {
        redirect_uri: callbackUrl,
        scope: SCOPES,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return address.href;
    },
    async finish({ state, nonce, verifier }, returned) {
      const configuration = await configure();
      try {
        const tokens = await oidc.authorizationCodeGrant(configuration, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        return await readName(configuration, tokens, settings.claim);
      } catch (error) {
        throw isUnreachable(error) ? unavailable(error) : refused(error);
      }
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<oidc.Configuration> {
  const address = new URL(issuer);
  const authenticate: oidc.ClientAuth = (...request) => oidc.ClientSecretBasic(clientSecret())(...request);
  const configuration = await oidc.discovery(address, clientId, undefined, authenticate, {
    // The settings permit plain HTTP for a provider on this machine only.
    execute: address.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
    timeout: TIMEOUT_SECONDS,
  });
  // Signatures of ID tokens are verified too, beyond the TLS connection that they came by.
  oidc.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** Some providers put a claim into the ID token, others only into the user information. */
async function readName(
  configuration: oidc.Configuration,
  tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
  claim: string,
): Promise<string> {
  const claims = tokens.claims();
  if (claims === undefined) throw refused();
  const all: Readonly<Record<string, unknown>> =
    claims[claim] === undefined ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
  const name = all[claim];
  if (typeof name !== 'string' || name === '') throw refused();
  // Anyone may enter the address of somebody else at a provider that does not verify it.
  if (claim === 'email' && all['email_verified'] !== true) throw refused();
  return name;
}

function refused(cause?: unknown): ServiceError {
  const detail = 'the OpenID provider did not confirm this sign-in, or it was used before; sign in again';
  return new ServiceError('login_failed', detail, { cause });
}

function unavailable(cause: unknown): ServiceError {
  const detail = 'the OpenID provider is unavailable; sign in again in a moment, or with a password';
  return new ServiceError('overloaded', detail, { remedy: 'retry', cause });
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  if (error instanceof oidc.ResponseBodyError) return error.status >= UNAVAILABLE_FROM;
  return error instanceof oidc.ClientError && (error.code === 'OAUTH_TIMEOUT' || error.cause instanceof TypeError);
}

/** Says what failed without anything that a response contained. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault';
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}; check SERVICE_OIDC_ISSUER. The next sign-in tries again`;
}
