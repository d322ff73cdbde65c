import type { ProofLinkList } from '@answer-evidence/contracts';
import { listProofLinks } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { readConsistently } from '../../bundle/read-consistently.ts';
import type { TrustDeps } from '../../deps.ts';
import { readLinks, toProofLink } from '../../proof-links/read-links.ts';

/** Most links that a list shows; a record has fewer unless many were revoked. */
const LISTED_MAX = 200;

/** `GET /api/answer-audit-logs/{answer_log_id}/proof-links`: the links of a record, and when each was opened last. */
export function listProofLinksRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...listProofLinks,
    async handle({ params, caller }) {
      const { stored } = await readConsistently(deps, caller, params.answer_log_id);
      const links = await readLinks(deps, caller.workspaceId, stored.record.id);
      const body: ProofLinkList = { items: links.slice(0, LISTED_MAX).map(toProofLink) };
      return { status: 200, body };
    },
  });
}
