import { equalSecrets } from '@answer-evidence/digest';
import { credentialMacParts, providerLinkMacParts } from '@answer-evidence/ledger';
import type { StoredMember, Workspace } from '@answer-evidence/ports';
import type { CredentialRow, ProviderLinkRow } from '@answer-evidence/tables';

/** A stored member's credential; undefined without one, or when its MAC is wrong: somebody else wrote it. */
export function findCredential(workspace: Workspace, stored: StoredMember | undefined): CredentialRow | undefined {
  const row = stored?.credential;
  if (row === undefined) return undefined;
  return equalSecrets(row.mac, workspace.vault.mac('member_credentials', credentialMacParts(row))) ? row : undefined;
}

/** Who a stored member is at an OpenID provider; undefined if nobody has said, or when the MAC of that is wrong. */
export function findProviderLink(
  workspace: Workspace,
  stored: Pick<StoredMember, 'provider'> | undefined,
): ProviderLinkRow | undefined {
  const row = stored?.provider;
  if (row === undefined) return undefined;
  return equalSecrets(row.mac, workspace.vault.mac('provider_links', providerLinkMacParts(row))) ? row : undefined;
}

/** The row with its MAC under the workspace's key. */
export function bindProviderLink(workspace: Workspace, row: Omit<ProviderLinkRow, 'mac'>): ProviderLinkRow {
  return { ...row, mac: workspace.vault.mac('provider_links', providerLinkMacParts(row)) };
}
