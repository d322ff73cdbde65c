import * as z from 'zod';
import { key, type Scope, scope, uuid } from '@answer-evidence/contracts';
import { MICROS_PER_SECOND } from '@answer-evidence/encoding';
import type { ApplicationClaims } from '@answer-evidence/ports';

/** The only header: no other member is read, and so none can choose a key or an algorithm. */
export const tokenHeader = z.strictObject({ alg: z.literal('EdDSA'), typ: z.literal('at+jwt'), kid: z.string() });

const seconds = z.int().nonnegative();

/** The claims of RFC 9068 section 2.2 and our own two; further ones are ignored, as RFC 7519 section 4 asks. */
const tokenPayload = z.object({
  aud: z.string(),
  sub: key,
  application_key: key,
  scope: z.string(),
  jti: uuid,
  tenant: uuid,
  iat: seconds,
  exp: seconds,
});

/** Whom a workspace's tokens are for. */
function audienceOf(workspaceId: string): string {
  return `urn:answer-evidence:${workspaceId}`;
}

/** The claims as signed, all but the issuer. Times are cut to whole seconds: no token lives longer than meant. */
export function formatClaims(claims: ApplicationClaims): z.infer<typeof tokenPayload> {
  return {
    aud: audienceOf(claims.workspaceId),
    sub: claims.applicationKey,
    application_key: claims.applicationKey,
    scope: claims.scopes.join(' '),
    jti: claims.tokenId,
    tenant: claims.workspaceId,
    iat: Math.floor(claims.issuedAt / MICROS_PER_SECOND),
    exp: Math.floor(claims.expiresAt / MICROS_PER_SECOND),
  };
}

/** Reads the claims of a verified payload; undefined when one is missing, malformed, or contradicts another. */
export function parseClaims(payload: unknown): ApplicationClaims | undefined {
  const read = tokenPayload.safeParse(payload);
  if (!read.success) return undefined;
  const { aud, sub, application_key, jti, tenant, iat, exp } = read.data;
  const scopes = parseScopes(read.data.scope);
  if (scopes === undefined || sub !== application_key || aud !== audienceOf(tenant)) return undefined;
  return {
    tokenId: jti,
    workspaceId: tenant,
    applicationKey: application_key,
    scopes,
    issuedAt: iat * MICROS_PER_SECOND,
    expiresAt: exp * MICROS_PER_SECOND,
  };
}

function parseScopes(text: string): readonly Scope[] | undefined {
  const read = z.array(scope).safeParse(text === '' ? [] : text.split(' '));
  return read.success ? read.data : undefined;
}
