import { actorOf } from '@answer-evidence/access';
import { type ProofLinkUseCore, ServiceError } from '@answer-evidence/contracts';
import { revokeProofLink } from '@answer-evidence/contracts/operations';
import { createProofLinkUseCommand, guardCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { readConsistently } from '../../bundle/read-consistently.ts';
import type { TrustDeps } from '../../deps.ts';
import { readLinks } from '../../proof-links/read-links.ts';

/** `DELETE …/proof-links/{proof_link_id}`: ends a link. Once more changes nothing: the first revocation stands. */
export function revokeProofLinkRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...revokeProofLink,
    async handle({ params, caller }) {
      const { stored } = await readConsistently(deps, caller, params.answer_log_id);
      const links = await readLinks(deps, caller.workspaceId, stored.record.id);
      const link = links.find(({ core }) => core.id === params.proof_link_id);
      if (link === undefined) throw new ServiceError('not_found', 'no such link of this record exists; check its id');
      if (link.revokedAt !== null) return { status: 204 };
      const core: ProofLinkUseCore = {
        ...newCoreIdentity(deps),
        answer_log_id: stored.record.id,
        proof_link_id: link.core.id,
        actor: actorOf(caller),
      };
      const command = createProofLinkUseCommand(caller.workspaceId, 'proof_link_revoked', core);
      await deps.ledger.append(caller.workspaceId, () =>
        guardCommand(command, core.actor, 'proof_links', stored.record),
      );
      return { status: 204 };
    },
  });
}
