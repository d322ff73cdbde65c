import { randomBytes } from 'node:crypto';
import { hmacSha256 } from '@answer-evidence/digest';
import { formatBase64Url, parseBase64Url, utf8 } from '@answer-evidence/encoding';
import { type ApplicationClaims, type ApplicationTokens } from '@answer-evidence/ports';

/** Application tokens that are no JWTs: the claims and a MAC over them. What was not signed here is not accepted. */
export function createFakeApplicationTokens(): ApplicationTokens {
  const key = randomBytes(32);
  const macOf = (payload: string) => formatBase64Url(hmacSha256(key, payload));
  return {
    sign(claims) {
      const payload = formatBase64Url(utf8(JSON.stringify(claims)));
      return Promise.resolve(`${payload}.${macOf(payload)}`);
    },
    verify(token, nowMicros) {
      const [payload = '', mac] = token.split('.');
      if (mac !== macOf(payload)) return Promise.resolve(undefined);
      // Only what `sign` wrote passes the MAC.
      const claims = JSON.parse(new TextDecoder().decode(parseBase64Url(payload))) as ApplicationClaims;
      return Promise.resolve(claims.expiresAt > nowMicros ? claims : undefined);
    },
    publicKeys: () => ({ keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'fake', x: formatBase64Url(new Uint8Array(32)) }] }),
  };
}
