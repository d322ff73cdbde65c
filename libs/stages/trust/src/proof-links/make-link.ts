import { actorOf, type Caller, formatProofToken } from '@answer-evidence/access';
import {
  type Belonging,
  type CreatedProofLink,
  type createProofLinkRequest,
  PROOF_LINKS_MAX,
  PROOF_PAGE_PATH,
  type ProofLinkCore,
  ServiceError,
} from '@answer-evidence/contracts';
import { formatTimestamp, MICROS_PER_SECOND, trimSlashes } from '@answer-evidence/encoding';
import { createProofLinkCommand, guardCommand } from '@answer-evidence/ledger';
import { newCoreIdentity, type Workspace } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';
import { macOfLink } from './link-mac.ts';
import { isLive, readLinks, toProofLink } from './read-links.ts';

type Wanted = ReturnType<(typeof createProofLinkRequest)['parse']>;

/** Throws `proof_links_off` unless the workspace shows records by links. */
export async function assertLinksAllowed(deps: Pick<TrustDeps, 'readFreshSettings'>, { id }: Workspace): Promise<void> {
  const { values } = await deps.readFreshSettings(id);
  if (!values.answer_audit_proof_links_enabled)
    throw new ServiceError(
      'proof_links_off',
      'this workspace shows no records by links; a manager must switch answer_audit_proof_links_enabled on first',
    );
}

/**
 * A link to a record that was not redacted, and its entry, which the log has by then. Throws `limit_reached` where the
 * record has as many links as it may have.
 */
export async function makeLink(
  deps: TrustDeps,
  caller: Caller,
  workspace: Workspace,
  record: Belonging & { readonly id: string },
  { shows, expires_in_seconds: life }: Wanted,
): Promise<CreatedProofLink> {
  const now = deps.clock.nowMicros();
  const live = (await readLinks(deps, workspace.id, record.id)).filter((link) => isLive(link, now));
  if (live.length >= PROOF_LINKS_MAX)
    throw new ServiceError(
      'limit_reached',
      `the record ${record.id} already has ${PROOF_LINKS_MAX} links that work; revoke one of them first`,
    );
  const expiresAt = now + life * MICROS_PER_SECOND;
  const core: ProofLinkCore = {
    ...newCoreIdentity(deps),
    answer_log_id: record.id,
    shows,
    expires_at: formatTimestamp(expiresAt),
    actor: actorOf(caller),
  };
  await deps.ledger.append(workspace.id, () =>
    guardCommand(createProofLinkCommand(workspace.id, core), core.actor, 'proof_links', record),
  );
  const made = (await readLinks(deps, workspace.id, record.id)).find((link) => link.core.id === core.id);
  const token = formatProofToken({ workspaceId: workspace.id, linkId: core.id, mac: macOfLink(workspace, core) });
  return {
    ...toProofLink(made ?? { core, madeAt: now, expiresAt, revokedAt: null, opened: null }),
    // Behind the `#`: a browser sends it to nobody, so it is in no log of a proxy or server, and in no Referer.
    url: `${trimSlashes(deps.linkUrl(workspace.slug))}${PROOF_PAGE_PATH}#${token}`,
    token,
  };
}
