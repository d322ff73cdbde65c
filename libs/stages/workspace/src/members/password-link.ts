import { formatPasswordSecret } from '@answer-evidence/access';
import { PASSWORD_LINK_LIFE_SECONDS, type PasswordLink } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatTimestamp } from '@answer-evidence/encoding';
import { credentialMacParts } from '@answer-evidence/ledger';
import type { IdSource, Workspace } from '@answer-evidence/ports';
import type { CredentialRow } from '@answer-evidence/tables';

const SECRET_BYTES = 32;
const LIFE_MICROS = PASSWORD_LINK_LIFE_SECONDS * 1_000_000;

/** Where the page is on which a password link is used. */
export const PASSWORD_PAGE_PATH = '/auth/password';

/** A link before it is stored: the row that takes the place of the member's credential, and what is shown this once. */
type MadeLink = { readonly row: CredentialRow; readonly shown: PasswordLink };

/** Makes a password link for the member, which the entry will say was issued. `baseUrl` is the workspace's own. */
export function makePasswordLink(
  source: IdSource,
  workspace: Workspace,
  baseUrl: string,
  of: { readonly memberId: string; readonly entryId: string },
): MadeLink {
  const secret = source.random.bytes(SECRET_BYTES);
  const expiresAt = source.clock.nowMicros() + LIFE_MICROS;
  const text = formatPasswordSecret({ workspaceId: workspace.id, memberId: of.memberId, secret });
  const row = bindCredential(workspace, {
    member_id: of.memberId,
    entry_id: of.entryId,
    password_hash: null,
    link_hash: sha256(secret),
    link_expires_at: expiresAt,
  });
  // After the `#`: a browser sends it to nobody, so it stands in no log of a proxy or server.
  const url = `${baseUrl}${PASSWORD_PAGE_PATH}#${text}`;
  return { row, shown: { url, secret: text, expires_at: formatTimestamp(expiresAt) } };
}

/** The row with its MAC under the workspace's key. */
export function bindCredential(workspace: Workspace, row: Omit<CredentialRow, 'mac'>): CredentialRow {
  return { ...row, mac: workspace.vault.mac('member_credentials', credentialMacParts(row)) };
}
