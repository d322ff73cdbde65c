import { type CreatedProofLink, ServiceError } from '@answer-evidence/contracts';
import { createProofLink } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { readConsistently } from '../../bundle/read-consistently.ts';
import type { TrustDeps } from '../../deps.ts';
import { assertLinksAllowed, makeLink } from '../../proof-links/make-link.ts';

/** `POST /api/answer-audit-logs/{answer_log_id}/proof-links`: a link for the person concerned, and its entry. */
export function createProofLinkRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...createProofLink,
    async handle({ params, body, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const { stored } = await readConsistently(deps, caller, params.answer_log_id);
      await assertLinksAllowed(deps, workspace);
      if (stored.status === 'redacted')
        throw new ServiceError(
          'gone_redacted',
          'the record was redacted, so a link could show nothing; use a record that has its texts',
        );
      const reply: CreatedProofLink = await makeLink(deps, caller, workspace, stored.record, body);
      return { status: 201, headers: { 'Cache-Control': 'no-store' }, body: reply };
    },
  });
}
