import { equalSecrets } from '@answer-evidence/digest';
import { credentialMacParts } from '@answer-evidence/ledger';
import type { StoredMember, Workspace } from '@answer-evidence/ports';
import type { CredentialRow } from '@answer-evidence/tables';

/** A stored member's credential; undefined without one, or when its MAC is wrong: somebody else wrote it. */
export function findCredential(workspace: Workspace, stored: StoredMember | undefined): CredentialRow | undefined {
  const row = stored?.credential;
  if (row === undefined) return undefined;
  return equalSecrets(row.mac, workspace.vault.mac('member_credentials', credentialMacParts(row))) ? row : undefined;
}
