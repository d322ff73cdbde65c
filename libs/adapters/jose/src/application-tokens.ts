import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import { parseBase64Url } from '@answer-evidence/encoding';
import type { ApplicationClaims, ApplicationTokens } from '@answer-evidence/ports';
import type { KeyRing } from './key-ring.ts';
import { formatClaims, parseClaims, tokenHeader } from './token-claims.ts';

/** How far ahead of this process the clock of the signing one may be. */
const CLOCK_TOLERANCE_SECONDS = 5;
const CLOCK_TOLERANCE_MICROS = CLOCK_TOLERANCE_SECONDS * 1_000_000;
/** Well above the largest token that is ever signed; longer text is not worth decoding. */
const TOKEN_LENGTH_MAX = 8_192;

/** Application JWTs (RFC 9068 profile) by a key ring: the active key signs, every key that has not expired verifies. */
export function createApplicationTokens(options: {
  readonly issuer: string;
  readonly ring: KeyRing;
}): ApplicationTokens {
  const { issuer, ring } = options;
  return {
    sign(claims) {
      const { kid, privateKey } = ring.signing(claims.issuedAt);
      return new SignJWT({ ...formatClaims(claims), iss: issuer })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
        .sign(privateKey);
    },

    async verify(token, nowMicros) {
      if (token.length > TOKEN_LENGTH_MAX) return undefined;
      const kid = findKid(token);
      const key = kid === undefined ? undefined : await ring.find(kid, nowMicros);
      return key === undefined ? undefined : verifySigned(token, key.publicKey, issuer, nowMicros);
    },

    publicKeys: (nowMicros) => ({
      keys: ring.published(nowMicros).map(({ kid, publicJwk }) => ({ ...publicJwk, kid, use: 'sig', alg: 'EdDSA' })),
    }),
  };
}

/** The key that a token names, if its header is exactly ours: no room for `jku`, `x5u`, `jwk` or `crit`. */
function findKid(token: string): string | undefined {
  try {
    return tokenHeader.parse(decodeProtectedHeader(token)).kid;
  } catch {
    return undefined;
  }
}

async function verifySigned(
  token: string,
  publicKey: CryptoKey,
  issuer: string,
  nowMicros: number,
): Promise<ApplicationClaims | 'expired' | undefined> {
  try {
    // The library's decoder skips white space and spare bits, and the signature is not covered by itself.
    parseBase64Url(token.slice(token.lastIndexOf('.') + 1));
    const { payload } = await jwtVerify(token, publicKey, {
      algorithms: ['EdDSA'],
      typ: 'at+jwt',
      issuer,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(nowMicros / 1_000),
    });
    const claims = parseClaims(payload);
    if (claims === undefined) return undefined;
    if (claims.issuedAt > nowMicros + CLOCK_TOLERANCE_MICROS) return undefined;
    // The tolerance is for tokens from the near future; an expired one is expired.
    return claims.expiresAt > nowMicros ? claims : 'expired';
  } catch (error) {
    // Judged after the signature and after all other claims, so only a token of ours is said to have expired. Whatever
    // else is wrong with a token, it is none of ours: callers need no reason, and attackers must have none.
    return error instanceof errors.JWTExpired && parseClaims(error.payload) !== undefined ? 'expired' : undefined;
  }
}
