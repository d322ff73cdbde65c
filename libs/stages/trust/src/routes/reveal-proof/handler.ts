import { actorOf } from '@answer-evidence/access';
import { revealAnswerProof } from '@answer-evidence/contracts/operations';
import { createRevealCommand, guardCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { readConsistently } from '../../bundle/read-consistently.ts';
import { replyWithBundle } from '../../bundle/reply-with-bundle.ts';
import type { TrustDeps } from '../../deps.ts';

/** `POST /api/trust/proofs/answers/{answer_log_id}/reveal`: the bundle with its texts, and an entry that says why. */
export function revealProofRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...revealAnswerProof,
    async handle({ params, body, caller }) {
      const { stored } = await readConsistently(deps, caller, params.answer_log_id);
      const reveal = { answer_log_id: stored.record.id, ...body, actor: actorOf(caller) };
      // The log says that somebody reads the texts before they leave.
      const identity = newCoreIdentity(deps);
      const command = createRevealCommand(caller.workspaceId, identity, reveal);
      await deps.ledger.append(caller.workspaceId, () =>
        guardCommand(command, reveal.actor, 'texts.read', stored.record),
      );
      return replyWithBundle(deps, caller, stored.record.id, { texts: 'shown', vouchedBy: identity.id });
    },
  });
}
