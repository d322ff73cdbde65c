import { formatAssociated } from './sealing.ts';

/** Where a workspace's key stands; what is wrapped opens only in its place. */
export function workspaceKeyPlace(workspaceId: string): string {
  return formatAssociated('workspace-key', workspaceId);
}

/** Where the seed of a workspace's ledger key stands. */
export function seedPlace(workspaceId: string): string {
  return formatAssociated('ledger-seed', workspaceId);
}

/** Where a secret of the installation stands. */
export function installationPlace(label: string): string {
  return formatAssociated('installation-secret', label);
}
