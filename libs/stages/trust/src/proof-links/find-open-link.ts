import { parseProofToken, type ProofToken } from '@answer-evidence/access';
import { proofLinkCore, ServiceError } from '@answer-evidence/contracts';
import { equalSecrets } from '@answer-evidence/digest';
import { EncodingError } from '@answer-evidence/encoding';
import type { Workspace } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';
import { macOfLink } from './link-mac.ts';
import { readEntryCore, readLinks, type StoredLink } from './read-links.ts';

/** What finding a link reads. */
type LinkDeps = Pick<TrustDeps, 'directory' | 'entries' | 'workspaceOfHost' | 'readFreshSettings' | 'clock'>;

/**
 * The link that a token opens, on the host that it was sent to. Throws `not_found` for a token that the workspace of
 * the host never gave out, whatever is wrong with it; and `proof_link_revoked` or `proof_link_expired` for one that it
 * did.
 */
export async function findOpenLink(
  deps: LinkDeps,
  host: string | undefined,
  text: string,
): Promise<{ readonly workspace: Workspace; readonly link: StoredLink }> {
  const token = readToken(text);
  const workspace = await findWorkspace(deps, token.workspaceId);
  const hosted = await deps.workspaceOfHost?.(host);
  if (hosted !== undefined && hosted.slug !== workspace.slug) throw unknown();
  const made = await deps.entries.find(workspace.id, token.linkId);
  if (made?.row.type !== 'proof_link_made') throw unknown();
  const core = readEntryCore(made, proofLinkCore);
  if (!equalSecrets(macOfLink(workspace, core), token.mac)) throw unknown();
  const links = await readLinks(deps, workspace.id, core.answer_log_id);
  const link = links.find((one) => one.core.id === core.id);
  // Only the newest thousand entries are looked at: a link behind as many others no longer opens.
  if (link === undefined || link.revokedAt !== null)
    throw new ServiceError('proof_link_revoked', 'this link was revoked; ask for another one where you got it');
  if (deps.clock.nowMicros() >= link.expiresAt)
    throw new ServiceError('proof_link_expired', 'this link has expired; ask for another one where you got it');
  const { values } = await deps.readFreshSettings(workspace.id);
  if (!values.answer_audit_proof_links_enabled)
    throw new ServiceError(
      'proof_link_revoked',
      'the workspace no longer shows records by links; ask where you got the link',
    );
  return { workspace, link };
}

function readToken(text: string): ProofToken {
  try {
    return parseProofToken(text);
  } catch (error) {
    if (error instanceof EncodingError) throw unknown();
    throw error;
  }
}

async function findWorkspace({ directory }: LinkDeps, workspaceId: string): Promise<Workspace> {
  try {
    return await directory.get(workspaceId);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') throw unknown();
    throw error;
  }
}

function unknown(): ServiceError {
  return new ServiceError('not_found', 'no link has this token; use the whole link that you were given');
}
