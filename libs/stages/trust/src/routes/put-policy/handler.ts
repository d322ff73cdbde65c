import { actorOf } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import { putTrustPolicy } from '@answer-evidence/contracts/operations';
import { ownActCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';
import { alignLogKeys } from '../../log-keys/align-log-keys.ts';
import { examineAnchors } from '../../policy/examine-anchors.ts';
import { judgePolicy } from '../../policy/judge-policy.ts';
import { preparePolicyChange } from '../../policy/prepare-policy-change.ts';
import { replyWithPolicy } from '../../policy/to-policy-resource.ts';

/** `PUT /api/trust/policy`: the whole policy from here on, judged whole before any of it changes. */
export function putPolicyRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...putTrustPolicy,
    async handle(request) {
      const { caller } = request;
      const workspace = await deps.directory.get(caller.workspaceId);
      const secrets = await deps.trust.anchorSecrets(workspace.id);
      const judged = judgePolicy(deps, request.body, new Set(secrets.map((row) => row.anchor_id)));
      // Nobody is asked for a policy that is refused anyway.
      const faults = judged.length > 0 ? judged : await examineAnchors(deps, workspace, request.body);
      if (faults.length > 0)
        throw new ServiceError('trust_policy_not_valid', 'the trust policy is invalid', { errors: faults });
      const wanted = { policy: request.body, ifMatch: request.header('if-match') };
      const actor = actorOf(caller);
      const outcome = await deps.ledger.append(workspace.id, async (settings) => {
        const current = await deps.trust.policy(workspace.id);
        const command = preparePolicyChange(deps, workspace, current, wanted, actor);
        return ownActCommand(command, {
          act: 'trust_policy',
          workspaceId: workspace.id,
          settings,
          requester: actor,
          identity: newCoreIdentity(deps),
        });
      });
      const changed = outcome.kind === 'appended' ? outcome.entries[0] : undefined;
      const { after } = outcome.command;
      // If another process publishes at this moment, the keys follow before the next checkpoint is published.
      await deps.trust.whileLeading(workspace.id, 'publish', () => alignLogKeys(deps, workspace, after));
      return replyWithPolicy({ ...after, updatedAt: changed?.at ?? after.updatedAt });
    },
  });
}
