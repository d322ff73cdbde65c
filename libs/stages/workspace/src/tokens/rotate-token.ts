import type { UserCaller } from '@answer-evidence/access';
import {
  type Actor,
  type IssuedToken,
  ServiceError,
  type TokenIssuedCore,
  type TokenRevokedCore,
} from '@answer-evidence/contracts';
import { MICROS_PER_SECOND } from '@answer-evidence/encoding';
import { createRotateCommand } from '@answer-evidence/ledger';
import { type ApplicationTokens, newCoreIdentity } from '@answer-evidence/ports';
import type { TokenRow } from '@answer-evidence/tables';
import { assertMayGive } from './assert-may-give.ts';
import { appendIssue, type IssuingDeps, type MadeToken, makeApplicationToken, makeUserToken } from './issue-token.ts';
import { scopesOf } from './to-token-resource.ts';

/** Throws `role_not_allowed` for a user token of somebody else: anyone who rotates a token gets to know the new one. */
export function assertMayRotate(user: UserCaller, token: TokenRow): void {
  if (token.kind === 'user' && token.user_id !== user.userId)
    throw new ServiceError('role_not_allowed', 'only its user can rotate a user token; revoke it instead');
  if (token.kind === 'application') assertMayGive(user, scopesOf(token));
}

/** Replaces a token in one transaction, with the same lifetime. Throws `token_not_active` and as the ledger does. */
export async function rotateToken(
  deps: IssuingDeps & { readonly applicationTokens: ApplicationTokens },
  workspaceId: string,
  old: TokenRow,
  overlapSeconds: number,
  actor: Actor,
): Promise<IssuedToken> {
  const lifeSeconds = Math.ceil((old.expires_at - old.created_at) / MICROS_PER_SECOND);
  const made = await remake(deps, workspaceId, old, { name: old.name, lifeSeconds, actor });
  const issued: TokenIssuedCore = { ...made.core, rotated_from: old.id };
  const revoked: TokenRevokedCore = {
    ...newCoreIdentity(deps),
    token_id: old.id,
    replaced_by: issued.token_id,
    ...(overlapSeconds === 0 ? {} : { overlap_seconds: overlapSeconds }),
    actor,
  };
  const condition = old.kind === 'application' ? 'by who may' : undefined;
  const command = createRotateCommand(workspaceId, { expiresAt: old.expires_at }, issued, revoked, condition);
  return appendIssue(deps, workspaceId, command, { ...made, core: issued });
}

async function remake(
  deps: IssuingDeps & { readonly applicationTokens: ApplicationTokens },
  workspaceId: string,
  old: TokenRow,
  terms: { readonly name: string; readonly lifeSeconds: number; readonly actor: Actor },
): Promise<MadeToken> {
  if (old.application_key !== null) {
    const bound = { applicationKey: old.application_key, scopes: scopesOf(old) };
    return makeApplicationToken(deps, workspaceId, bound, terms);
  }
  if (old.user_id === null) throw new Error('a token is bound to a user or to an application');
  return makeUserToken(deps, { id: old.user_id }, terms);
}
