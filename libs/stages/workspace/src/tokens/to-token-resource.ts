import * as z from 'zod';
import { tokenRevokedFrom } from '@answer-evidence/access';
import { type Scope, scope, type TokenIssuedCore, type TokenSummary } from '@answer-evidence/contracts';
import { formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import type { ListedToken } from '@answer-evidence/ports';

const scopes = z.array(scope);

/** A stored token as it is listed. */
export function toTokenResource(row: ListedToken): TokenSummary {
  const revokedFrom = tokenRevokedFrom(row);
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    application_key: row.application_key,
    scopes: scopesOf(row),
    user_id: row.user_id,
    created_at: formatTimestamp(row.created_at),
    expires_at: formatTimestamp(row.expires_at),
    revoked_at: revokedFrom === null ? null : formatTimestamp(revokedFrom),
    last_used_at: row.last_used_at === null ? null : formatTimestamp(row.last_used_at),
  };
}

/** The scopes of a stored token. */
export function scopesOf(row: Pick<ListedToken, 'scopes_json'>): Scope[] {
  return scopes.parse(parseJsonText(row.scopes_json));
}

/** A token that was issued a moment ago, as it is listed. */
export function toIssuedTokenResource(core: TokenIssuedCore, createdAt: number): TokenSummary {
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
    last_used_at: null,
  };
}
