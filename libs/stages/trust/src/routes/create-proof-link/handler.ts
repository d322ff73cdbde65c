import { actorOf, formatProofToken } from '@answer-evidence/access';
import {
  type CreatedProofLink,
  PROOF_LINKS_MAX,
  PROOF_PAGE_PATH,
  type ProofLinkCore,
  ServiceError,
} from '@answer-evidence/contracts';
import { createProofLink } from '@answer-evidence/contracts/operations';
import { formatTimestamp, MICROS_PER_SECOND, trimSlashes } from '@answer-evidence/encoding';
import { createProofLinkCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import { readConsistently } from '../../bundle/read-consistently.ts';
import type { TrustDeps } from '../../deps.ts';
import { macOfLink } from '../../proof-links/link-mac.ts';
import { isLive, readLinks, toProofLink } from '../../proof-links/read-links.ts';

/** `POST /api/answer-audit-logs/{answer_log_id}/proof-links`: a link for the person concerned, and its entry. */
export function createProofLinkRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...createProofLink,
    async handle({ params, body, caller: sentBy }) {
      const caller = authenticated(sentBy);
      const workspace = await deps.directory.get(caller.workspaceId);
      const { stored } = await readConsistently(deps, caller, params.answer_log_id);
      const { values } = await deps.readFreshSettings(workspace.id);
      if (!values.answer_audit_proof_links_enabled)
        throw new ServiceError(
          'proof_links_off',
          'this workspace shows no records by links; a manager must switch answer_audit_proof_links_enabled on first',
        );
      if (stored.status === 'redacted')
        throw new ServiceError(
          'gone_redacted',
          'the record was redacted, so a link could show nothing; use a record that has its texts',
        );
      const recordId = stored.record.id;
      const now = deps.clock.nowMicros();
      const live = (await readLinks(deps, workspace.id, recordId)).filter((link) => isLive(link, now));
      if (live.length >= PROOF_LINKS_MAX)
        throw new ServiceError(
          'limit_reached',
          `the record already has ${PROOF_LINKS_MAX} links that work; revoke one of them first`,
        );
      const expiresAt = now + body.expires_in_seconds * MICROS_PER_SECOND;
      const core: ProofLinkCore = {
        ...newCoreIdentity(deps),
        answer_log_id: recordId,
        shows: body.shows,
        expires_at: formatTimestamp(expiresAt),
        actor: actorOf(caller),
      };
      await deps.ledger.append(workspace.id, () => createProofLinkCommand(workspace.id, core));
      const made = (await readLinks(deps, workspace.id, recordId)).find((link) => link.core.id === core.id);
      const token = formatProofToken({
        workspaceId: workspace.id,
        linkId: core.id,
        mac: macOfLink(workspace, core),
      });
      const reply: CreatedProofLink = {
        ...toProofLink(made ?? { core, madeAt: now, expiresAt, revokedAt: null, opened: null }),
        // Behind the `#`: a browser sends it to nobody, so it is in no log of a proxy or server, and in no Referer.
        url: `${trimSlashes(deps.linkUrl(workspace.slug))}${PROOF_PAGE_PATH}#${token}`,
        token,
      };
      return {
        status: 201,
        headers: { 'Cache-Control': 'no-store' },
        body: reply,
      };
    },
  });
}
