import * as oidc from 'openid-client';
import { ServiceError } from '@answer-evidence/contracts';
import type { IdentityProvider, SignInAttempt } from '@answer-evidence/ports';
import { fetchBounded } from './fetch-bounded.ts';
import { groupsFrom } from './proven-groups.ts';
import { claimsOf, type IdToken, NameError, nameFrom, readClaims, readGroupClaims, reasonOf } from './proven-name.ts';
import { findKeyIds, isOther } from './provider-keys.ts';

/** How the operator registered the service at the provider. */
export type ProviderSettings = {
  readonly issuer: string;
  readonly clientId: string;
  /** Asked at each sign-in, since it may change. */
  readonly clientSecret: () => string;
  /** The claim whose value is the name of a member. */
  readonly claim: string;
  /** The claim that has the groups of a person, where roles follow them. */
  readonly groupsClaim?: string | undefined;
};

const SCOPES = 'openid profile email';
const GROUPS_SCOPE = 'groups';
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
  /** Its keys were read again, and are others than before; a sentence. */
  readonly onKeysChanged?: (what: string) => void;
};

/** What a provider says of itself that decides whether people can sign in; empty where it says nothing. */
export type ProviderDescription = {
  readonly issuer: string;
  readonly claims: readonly string[];
  readonly clientAuthentication: readonly string[];
  readonly scopes: readonly string[];
};

/** A provider whose description is read at the first use, and again at the next one if that failed. */
export function openIdentityProvider(
  settings: ProviderSettings,
  { onUnreachable, onRefused, onKeysChanged }: ProviderReports,
): IdentityProvider & {
  /** What it says of itself; undefined if it cannot be read. Never throws. */
  describe(): Promise<ProviderDescription | undefined>;
} {
  let known: Promise<oidc.Configuration> | undefined;
  let keyIds: readonly string[] | undefined;

  function configure(): Promise<oidc.Configuration> {
    known ??= discover(settings).catch((cause: unknown) => {
      known = undefined;
      onUnreachable(`the OpenID provider ${settings.issuer} cannot be used: ${describe(cause)}`);
      throw unavailable(cause);
    });
    return known;
  }

  /** Throws `overloaded` for an outage. Otherwise it tells the operator what was refused, and throws `login_failed`. */
  async function judged<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      if (isUnavailable(error)) throw unavailable(error);
      onRefused(reasonOf(error));
      throw refused(error);
    }
  }

  function followKeys(configuration: oidc.Configuration): void {
    const now = findKeyIds(configuration);
    if (isOther(keyIds, now))
      onKeysChanged?.(
        `the OpenID provider ${settings.issuer} has other signing keys than before; they were read again`,
      );
    keyIds = now ?? keyIds;
  }

  async function exchange(configuration: oidc.Configuration, attempt: SignInAttempt, returned: URL): Promise<IdToken> {
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, returned, {
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.verifier,
        idTokenExpected: true,
      });
      return { claims: claimsOf(tokens), accessToken: tokens.access_token };
    } finally {
      followKeys(configuration);
    }
  }

  return {
    async describe() {
      const configuration = await configure().catch(() => undefined);
      return configuration === undefined ? undefined : descriptionOf(configuration);
    },
    async begin({ state, nonce, verifier }, callbackUrl) {
      const configuration = await configure();
      const address = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: callbackUrl,
        scope: scopesOf(configuration, settings),
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return address.href;
    },
    async finish(attempt, returned) {
      const configuration = await configure();
      const token = await judged(() => exchange(configuration, attempt, returned));
      return {
        issuer: token.claims.iss,
        subject: token.claims.sub,
        readName: () =>
          judged(async () => {
            try {
              return nameFrom(await readClaims(configuration, token, settings.claim), settings.claim);
            } catch (error) {
              if (!(error instanceof NameError)) throw error;
              onRefused(reasonOf(error));
              return undefined;
            }
          }),
        readGroups: () =>
          judged(async () => {
            const { groupsClaim: claim } = settings;
            return claim === undefined
              ? { names: new Set() }
              : groupsFrom(await readGroupClaims(configuration, token, claim), claim);
          }),
      };
    },
  };
}

/** Some providers release groups for a scope of their own, and refuse scopes that they do not have. */
function scopesOf(configuration: oidc.Configuration, { groupsClaim }: ProviderSettings): string {
  const hasScope = configuration.serverMetadata().scopes_supported?.includes(GROUPS_SCOPE) === true;
  return groupsClaim !== undefined && hasScope ? `${SCOPES} ${GROUPS_SCOPE}` : SCOPES;
}

function descriptionOf(configuration: oidc.Configuration): ProviderDescription {
  const metadata = configuration.serverMetadata();
  return {
    issuer: metadata.issuer,
    claims: metadata.claims_supported ?? [],
    clientAuthentication: metadata.token_endpoint_auth_methods_supported ?? [],
    scopes: metadata.scopes_supported ?? [],
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
