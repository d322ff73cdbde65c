import { createMasterKey, createMasterVault } from '@answer-evidence/node-crypto';
import type { WorkspaceVault } from '@answer-evidence/ports';

/** The vault of a workspace under a master key of its own, whose secrets live as long as it does. */
export function createTestVault(workspaceId: string): WorkspaceVault {
  const vault = createMasterVault(createMasterKey());
  const { wrappedKey, wrappedLedgerSeed } = vault.createWorkspaceSecrets(workspaceId);
  return vault.openWorkspace(workspaceId, wrappedKey, wrappedLedgerSeed);
}
