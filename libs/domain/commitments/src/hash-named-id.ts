import { hmacSha256 } from '@answer-evidence/digest';
import { formatHex } from '@answer-evidence/encoding';

/** Whom or what an id names: a person, or a session of theirs. */
export type NamedIdKind = 'actor' | 'session';

/**
 * The hash that stands for an id of a person or a session: `hmac-sha256:` of HMAC-SHA256(tenant key,
 * "answer-evidence/actor-id/v1\n" or "answer-evidence/session-id/v1\n" ‖ id), the id as UTF-8, never normalised.
 */
export function hashNamedId(tenantKey: Uint8Array, kind: NamedIdKind, id: string): string {
  return `hmac-sha256:${formatHex(hmacSha256(tenantKey, `answer-evidence/${kind}-id/v1\n${id}`))}`;
}
