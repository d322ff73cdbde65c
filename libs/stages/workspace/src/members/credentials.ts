import { equalBytes } from '@answer-evidence/encoding';
import { credentialMacParts } from '@answer-evidence/ledger';
import type { StoredMember, Workspace } from '@answer-evidence/ports';
import type { CredentialRow } from '@answer-evidence/tables';

/**
 * The credential of a stored member as the service wrote it; undefined when there is none, or when its MAC is wrong,
 * which is how a password looks that somebody put into the database.
 */
export function findCredential(workspace: Workspace, stored: StoredMember | undefined): CredentialRow | undefined {
  const row = stored?.credential;
  if (row === undefined) return undefined;
  return equalBytes(row.mac, workspace.vault.mac('member_credentials', credentialMacParts(row))) ? row : undefined;
}
