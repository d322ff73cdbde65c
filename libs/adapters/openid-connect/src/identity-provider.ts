import * as oidc from 'openid-client';
import { ServiceError } from '@answer-evidence/contracts';
import type { IdentityProvider } from '@answer-evidence/ports';
import { fetchBounded } from './fetch-bounded.ts';
import { nameFrom, readClaims, reasonOf } from './proven-name.ts';

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
/** What such a provider sends the browser back with (RFC 6749, section 4.1.2.1). */
const UNAVAILABLE_ERRORS: readonly string[] = ['server_error', 'temporarily_unavailable'];

/** What the operator is told of the provider. Nothing of it comes from a person, nor from a text of a response. */
type ProviderReports = {
  /** Its description cannot be read; a sentence. */
  readonly onUnreachable: (why: string) => void;
  /** A sign-in was refused; a word for the reason. */
  readonly onRefused: (reason: string) => void;
};

/** A provider whose description is read at the first use, and again at the next one if that failed. */
export function openIdentityProvider(
  settings: ProviderSettings,
  { onUnreachable, onRefused }: ProviderReports,
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
        const claims = await readClaims(configuration, tokens, settings.claim);
        return nameFrom(claims, settings.claim);
      } catch (error) {
        if (isUnavailable(error)) throw unavailable(error);
        onRefused(reasonOf(error));
        throw refused(error);
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
    [oidc.customFetch]: fetchBounded,
  });
  configuration[oidc.customFetch] = fetchBounded;
  // Signatures of ID tokens are verified too, beyond the TLS connection that they came by.
  oidc.enableNonRepudiationChecks(configuration);
  return configuration;
}

function refused(cause?: unknown): ServiceError {
  const detail = 'the OpenID provider did not confirm this sign-in, or it was used before; sign in again';
  return new ServiceError('login_failed', detail, { cause });
}

function unavailable(cause: unknown): ServiceError {
  const detail = 'the OpenID provider is unavailable; sign in again in a moment, or with a password';
  return new ServiceError('overloaded', detail, { remedy: 'retry', cause });
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  if (error instanceof oidc.AuthorizationResponseError) return UNAVAILABLE_ERRORS.includes(error.error);
  if (error instanceof oidc.ResponseBodyError) return error.status >= UNAVAILABLE_FROM;
  if (!(error instanceof oidc.ClientError)) return false;
  const { code, cause } = error;
  return code === 'OAUTH_TIMEOUT' || cause instanceof TypeError || statusOf(cause) >= UNAVAILABLE_FROM;
}

/** Of the response that the library could not use. */
function statusOf(cause: unknown): number {
  return cause instanceof Response ? cause.status : 0;
}

/** Says what failed without anything that a response contained. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault';
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}; check SERVICE_OIDC_ISSUER. The next sign-in tries again`;
}
