import type { TokenRevokedCore } from '@answer-evidence/contracts';
import { createRevokeCommand } from '@answer-evidence/ledger';
import { type ConsoleSession, newCoreIdentity, type Workspace } from '@answer-evidence/ports';
import type { ConsoleSessionDeps } from './deps.ts';

/** Ends sessions of one member: revokes the token of each, then forgets them. */
export async function endSessions(
  deps: Pick<ConsoleSessionDeps, 'ledger' | 'consoleSessions' | 'clock' | 'random'>,
  workspace: Workspace,
  sessions: readonly ConsoleSession[],
): Promise<void> {
  for (const { tokenId, memberId } of sessions) {
    const core: TokenRevokedCore = {
      ...newCoreIdentity(deps),
      token_id: tokenId,
      actor: { kind: 'user', id: memberId, token_id: tokenId },
    };
    const command = createRevokeCommand(workspace.id, core);
    await deps.ledger.append(workspace.id, () => command);
  }
  await deps.consoleSessions.remove(
    workspace.id,
    sessions.map(({ key }) => key),
  );
}
