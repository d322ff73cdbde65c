import { actorOf } from '@answer-evidence/access';
import { putTrustPolicyRequest, ServiceError, trustPolicy } from '@answer-evidence/contracts';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';
import { examineAnchors } from '../../policy/examine-anchors.ts';
import { judgePolicy } from '../../policy/judge-policy.ts';
import { preparePolicyChange } from '../../policy/prepare-policy-change.ts';
import { replyWithPolicy } from '../../policy/to-policy-resource.ts';

const BODY_BYTES_MAX = 512 * 1024;

/** `PUT /api/trust/policy`: the whole policy from here on, judged whole before any of it changes. */
export function putPolicyRoute(deps: TrustDeps): Route {
  return defineRoute({
    method: 'PUT',
    path: '/api/trust/policy',
    operationId: 'putTrustPolicy',
    summary: 'Set the trust policy',
    access: 'trust.manage',
    body: putTrustPolicyRequest,
    bodyBytesMax: BODY_BYTES_MAX,
    responses: {
      200: {
        description: 'The new policy; unchanged if the request has no effect',
        schema: trustPolicy,
        headers: { ETag: 'Version of the policy, for If-Match' },
      },
      409: { description: '`version` in the body is not the current one' },
      412: { description: 'If-Match names another version' },
    },
    async handle(request) {
      const manager = authenticated(request.caller);
      const workspace = await deps.directory.get(manager.workspaceId);
      const secrets = await deps.trust.anchorSecrets(workspace.id);
      const judged = judgePolicy(deps, request.body, new Set(secrets.map((row) => row.anchor_id)));
      // Nobody is asked for a policy that is refused anyway.
      const faults = judged.length > 0 ? judged : await examineAnchors(deps, workspace, request.body);
      if (faults.length > 0)
        throw new ServiceError('trust_policy_not_valid', 'the trust policy is invalid', { errors: faults });
      const wanted = { policy: request.body, ifMatch: request.header('if-match') };
      const outcome = await deps.ledger.append(workspace.id, async () => {
        const current = await deps.trust.policy(workspace.id);
        return preparePolicyChange(deps, workspace, current, wanted, actorOf(manager));
      });
      const changed = outcome.kind === 'appended' ? outcome.entries.at(-1) : undefined;
      const { after } = outcome.command;
      return replyWithPolicy({ ...after, updatedAt: changed?.at ?? after.updatedAt });
    },
  });
}
