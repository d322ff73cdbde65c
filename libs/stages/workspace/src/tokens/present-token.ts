import { scope, type TokenIssuedCore, type TokenRow, type TokenSummary } from '@answer-evidence/contracts';
import { formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import { z } from 'zod';

const scopes = z.array(scope);

/** A stored token as it is listed. */
export function presentToken(row: TokenRow): TokenSummary {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    application_key: row.application_key,
    scopes: scopes.parse(parseJsonText(row.scopes_json)),
    user_id: row.user_id,
    created_at: formatTimestamp(row.created_at),
    expires_at: formatTimestamp(row.expires_at),
    revoked_at: row.revoked_at === null ? null : formatTimestamp(row.revoked_at),
  };
}

/** A token that was issued a moment ago, as it is listed. */
export function presentIssued(core: TokenIssuedCore, createdAt: number): TokenSummary {
  return {
    id: core.token_id,
    name: core.name,
    kind: core.kind,
    application_key: core.application_key,
    scopes: core.scopes,
    user_id: core.user_id,
    created_at: formatTimestamp(createdAt),
    expires_at: core.expires_at,
    revoked_at: null,
  };
}
