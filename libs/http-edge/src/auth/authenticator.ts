import { hash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Clock, TokenUse } from '@answer-evidence/ports';
import { findBearerToken } from './bearer.ts';
import { createCallerCache } from './caller-cache.ts';
import { type FoundCaller, type ReadCaller, readCaller, type TokenSources } from './read-caller.ts';

const CACHED_CALLERS_MAX = 10_000;
/** Longest token that is looked at; an application JWT has well under 2,000 characters. */
const TOKEN_LENGTH_MAX = 8192;

/** Says whose token an `Authorization` header holds. */
export interface Authenticator {
  /**
   * The caller, or the reason why the token is refused; undefined without a token, and for one that this service did
   * not issue. A revocation takes effect within `cacheMs`. Throws `ledger_unavailable` if the store is unavailable.
   */
  authenticate(authorizationHeader: string | undefined): Promise<ReadCaller>;
  /** Whether the token was good when it was last looked up, however long ago; false when that is not remembered. */
  wasGood(authorizationHeader: string | undefined): boolean;
}

/** What an authenticator is made of. */
type AuthenticatorOptions = TokenSources & {
  readonly clock: Clock;
  /** Called when a good token was looked up, every few seconds for one in use; returns at once and never throws. */
  readonly onUse?: (use: TokenUse) => void;
  /** How long a positive answer is kept; revocation must work everywhere within 5 s. */
  readonly cacheMs?: number;
  /** A clock that never steps back, so that a corrected system time cannot prolong a revoked token's life. */
  readonly monotonicMs?: () => number;
};

function findToken(authorizationHeader: string | undefined): string | undefined {
  const token = findBearerToken(authorizationHeader);
  return token === undefined || token.length > TOKEN_LENGTH_MAX ? undefined : token;
}

function isAbsent(authorizationHeader: string | undefined): boolean {
  return authorizationHeader === undefined || authorizationHeader.trim() === '';
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

type Lookup = { readonly startedMs: number; readonly found: Promise<FoundCaller> };

/** An authenticator with a short memory. Negative answers are not kept: a token made just now works at once. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const ageMs = options.cacheMs ?? 4000;
  const monotonicMs = options.monotonicMs ?? (() => performance.now());
  const cache = createCallerCache({ ageMs, sizeMax: CACHED_CALLERS_MAX });
  const lookups = new Map<string, Lookup>();

  async function read(token: string, tokenHash: string, startedMs: number): Promise<FoundCaller> {
    const nowMicros = options.clock.nowMicros();
    const found = await readCaller(options, token, nowMicros);
    if (typeof found !== 'object') {
      cache.forget(tokenHash);
      return found;
    }
    cache.keep(tokenHash, found, startedMs);
    const { workspaceId, tokenId } = found.caller;
    options.onUse?.({ workspaceId, tokenId, usedAt: nowMicros });
    return found;
  }

  async function lookUp(token: string, tokenHash: string, nowMs: number): Promise<FoundCaller> {
    const running = lookups.get(tokenHash);
    // A lookup that hangs is as stale as an old cache entry: its answer may be from before a revocation.
    if (running !== undefined && nowMs - running.startedMs < ageMs) return await running.found;
    const lookup: Lookup = { startedMs: nowMs, found: read(token, tokenHash, nowMs) };
    lookups.set(tokenHash, lookup);
    try {
      return await lookup.found;
    } finally {
      if (lookups.get(tokenHash) === lookup) lookups.delete(tokenHash);
    }
  }

  return {
    wasGood(authorizationHeader) {
      const token = findToken(authorizationHeader);
      return token !== undefined && cache.has(hashOf(token));
    },
    async authenticate(authorizationHeader) {
      const token = findToken(authorizationHeader);
      if (token === undefined) return isAbsent(authorizationHeader) ? undefined : 'token_malformed';
      const tokenHash = hashOf(token);
      const nowMs = monotonicMs();
      const found = cache.find(tokenHash, nowMs) ?? (await lookUp(token, tokenHash, nowMs));
      if (typeof found !== 'object') return found;
      // Asked on every call: the token of a caller may have ended since it was read, or while it was.
      return options.clock.nowMicros() < found.caller.expiresAt ? found.caller : found.endsAs;
    },
  };
}
