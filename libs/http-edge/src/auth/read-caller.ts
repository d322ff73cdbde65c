import {
  type Caller,
  isTokenAhead,
  isTokenCut,
  isUserToken,
  parseUserToken,
  tokenEndsAt,
  type UserToken,
} from '@answer-evidence/access';
import { isLimited, ServiceError } from '@answer-evidence/contracts';
import { equalSecrets, sha256 } from '@answer-evidence/digest';
import { readOr } from '@answer-evidence/encoding';
import type { AdministrationStore, ApplicationTokens, TokenBearer } from '@answer-evidence/ports';

/** What deciding about a token needs. */
export type TokenSources = {
  readonly administration: Pick<AdministrationStore, 'findToken'>;
  readonly applicationTokens: Pick<ApplicationTokens, 'verify'>;
  /** Whether a time has passed that the clock has still before it: then it tells nothing of when a token was issued. */
  readonly isClockBehind?: () => boolean;
};

/**
 * Why a token is not accepted, where its bearer may know: malformed is what anyone sees, and that a token has expired
 * or was revoked is told only of one whose signature or secret was right.
 */
export type TokenRefusal = 'token_malformed' | 'token_expired' | 'token_revoked';

/** A caller, and what is said of its token once that has ended, as far as is known when it is read. */
export type KnownCaller = { readonly caller: Caller; readonly endsAs: TokenRefusal };

/** What is found of a token: its caller, or why there is none; undefined for one that is not ours. */
export type FoundCaller = KnownCaller | TokenRefusal | undefined;

/** A caller, or the reason why there is none; undefined for a token that is not ours, without a reason. */
export type ReadCaller = Caller | TokenRefusal | undefined;

/** The form of a JWS in its compact serialisation. */
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The token's caller, or why it is no longer valid. Throws `ledger_unavailable` when that cannot be known. */
export async function readCaller(sources: TokenSources, token: string, nowMicros: number): Promise<FoundCaller> {
  if (!isUserToken(token) && !COMPACT_JWS.test(token)) return 'token_malformed';
  return isUserToken(token)
    ? await readUserCaller(sources, token, nowMicros)
    : await readApplicationCaller(sources, token, nowMicros);
}

async function readUserCaller(sources: TokenSources, text: string, nowMicros: number): Promise<FoundCaller> {
  const parsed = findUserToken(text);
  if (parsed === undefined) return 'token_malformed';
  const bearer = await readBearer(sources, parsed.tokenId);
  if (bearer === undefined) return undefined;
  const { token, user } = bearer;
  if (token.kind !== 'user' || token.secret_hash === null || user === undefined) return undefined;
  if (!equalSecrets(sha256(parsed.secret), token.secret_hash)) return undefined;
  const refusal = user.disabled ? 'token_revoked' : findEnd(bearer, nowMicros);
  if (refusal !== undefined) return refusal;
  // An application's says so itself, in its claims.
  if (isTokenAhead(token, nowMicros) && sources.isClockBehind?.() !== true) return 'token_expired';
  const caller: Caller = {
    kind: 'user',
    workspaceId: bearer.workspaceId,
    tokenId: token.id,
    userId: user.id,
    username: user.username,
    role: user.access.role,
    ...(isLimited(user.access) ? { limits: user.access } : {}),
    expiresAt: tokenEndsAt(token),
  };
  return { caller, endsAs: endOf(bearer) };
}

async function readApplicationCaller(sources: TokenSources, text: string, nowMicros: number): Promise<FoundCaller> {
  // The signature first: a token that nobody signed costs no read.
  const claims = await sources.applicationTokens.verify(text, nowMicros);
  if (claims === 'expired') return 'token_expired';
  if (claims === undefined) return undefined;
  const bearer = await readBearer(sources, claims.tokenId);
  if (bearer?.token.kind !== 'application') return undefined;
  if (bearer.workspaceId !== claims.workspaceId || bearer.token.application_key !== claims.applicationKey) {
    return undefined;
  }
  const refusal = findEnd(bearer, nowMicros);
  if (refusal !== undefined) return refusal;
  const endsAt = tokenEndsAt(bearer.token);
  const caller: Caller = {
    kind: 'application',
    workspaceId: claims.workspaceId,
    tokenId: claims.tokenId,
    applicationKey: claims.applicationKey,
    scopes: claims.scopes,
    expiresAt: Math.min(claims.expiresAt, endsAt),
  };
  return { caller, endsAs: endsAt < claims.expiresAt ? endOf(bearer) : 'token_expired' };
}

function findEnd(bearer: TokenBearer, nowMicros: number): TokenRefusal | undefined {
  return nowMicros < tokenEndsAt(bearer.token) ? undefined : endOf(bearer);
}

function endOf({ token }: TokenBearer): TokenRefusal {
  return isTokenCut(token) ? 'token_revoked' : 'token_expired';
}

function findUserToken(text: string): UserToken | undefined {
  return readOr(() => parseUserToken(text), undefined);
}

/** A store that fails says nothing about the token: that is 503, never 401, or clients would throw good tokens away. */
async function readBearer(sources: TokenSources, tokenId: string): Promise<TokenBearer | undefined> {
  try {
    return await sources.administration.findToken(tokenId);
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError('ledger_unavailable', 'tokens cannot be checked at the moment; retry the same request', {
      remedy: 'retry',
      cause,
    });
  }
}
