import type { Actor, TokenRevokedCore } from '@answer-evidence/contracts';
import { createRevokeCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import type { IssuingDeps } from './issue-token.ts';

/** Ends a token that could not be handed over, so that none is good whose secret nobody has. */
export async function revokeLostToken(
  deps: IssuingDeps,
  workspaceId: string,
  tokenId: string,
  actor: Actor,
): Promise<void> {
  const core: TokenRevokedCore = { ...newCoreIdentity(deps), token_id: tokenId, actor };
  await deps.ledger.append(workspaceId, () => createRevokeCommand(workspaceId, core));
}
