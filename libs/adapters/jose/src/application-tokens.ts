import { parseBase64Url } from '@answer-evidence/encoding';
import type { ApplicationTokens } from '@answer-evidence/ports';
import { errors, type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose';
import { importSeed, type SigningKey } from './signing-key.ts';
import { formatClaims, parseClaims, tokenHeader } from './token-claims.ts';

/** How far ahead of this process the clock of the signing one may be. */
const CLOCK_TOLERANCE_SECONDS = 5;
const CLOCK_TOLERANCE_MICROS = CLOCK_TOLERANCE_SECONDS * 1_000_000;
/** Well above the largest token that is ever signed; longer text is not worth decoding. */
const TOKEN_LENGTH_MAX = 8_192;

/**
 * Application JWTs (RFC 9068 profile): the first key signs, all keys verify. Throws when there is no key, two have one id, or a
 * seed is not of 32 bytes.
 */
export async function createApplicationTokens(options: {
  readonly issuer: string;
  readonly keys: readonly SigningKey[];
}): Promise<ApplicationTokens> {
  const { issuer } = options;
  const keys = await Promise.all(options.keys.map(async ({ kid, seed }) => ({ kid, ...(await importSeed(seed)) })));
  const [signing] = keys;
  if (signing === undefined) throw new Error('application tokens need a signing key');
  const publicKeys = new Map(keys.map((key) => [key.kid, key.publicKey]));
  if (publicKeys.size !== keys.length) throw new Error('two token signing keys have one id');

  // The strict header leaves no room for `jku`, `x5u`, `jwk` or `crit`.
  function getPublicKey(header: JWTHeaderParameters): CryptoKey {
    const key = publicKeys.get(tokenHeader.parse(header).kid);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  }

  return {
    sign: (claims) =>
      new SignJWT({ ...formatClaims(claims), iss: issuer })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: signing.kid })
        .sign(signing.privateKey),

    async verify(token, nowMicros) {
      if (token.length > TOKEN_LENGTH_MAX) return undefined;
      try {
        // The library's decoder skips white space and spare bits, and the signature is the one part that it does not cover itself.
        parseBase64Url(token.slice(token.lastIndexOf('.') + 1));
        const { payload } = await jwtVerify(token, getPublicKey, {
          algorithms: ['EdDSA'],
          typ: 'at+jwt',
          issuer,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: new Date(nowMicros / 1_000),
        });
        const claims = parseClaims(payload);
        if (claims === undefined) return undefined;
        // The tolerance is for tokens from the near future; an expired one is expired.
        const isCurrent = claims.expiresAt > nowMicros && claims.issuedAt <= nowMicros + CLOCK_TOLERANCE_MICROS;
        return isCurrent ? claims : undefined;
      } catch {
        // Whatever is wrong with it, it is no token of ours; callers need no reason, and attackers must have none.
        return undefined;
      }
    },

    publicKeys: () => ({
      keys: keys.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, use: 'sig', alg: 'EdDSA' })),
    }),
  };
}
