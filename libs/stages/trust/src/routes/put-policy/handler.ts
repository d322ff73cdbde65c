import { actorOf } from '@answer-evidence/access';
import { putTrustPolicyRequest, ServiceError, trustPolicy } from '@answer-evidence/contracts';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustParts } from '../../parts.ts';
import { judgePolicy } from '../../policy/judge-policy.ts';
import { preparePolicyChange } from '../../policy/prepare-policy-change.ts';
import { replyWithPolicy } from '../../policy/present-policy.ts';

const BODY_BYTES_MAX = 512 * 1024;

/** `PUT /api/trust/policy`: the whole policy from here on, judged whole before any of it changes. */
export function putPolicyRoute(parts: TrustParts): Route {
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
        description: 'The policy from here on; without an effect, as it was',
        schema: trustPolicy,
        headers: { ETag: 'Version of the policy, for If-Match' },
      },
      409: { description: '`version` in the body is not the current one' },
      412: { description: 'If-Match names another version' },
    },
    async handle(request) {
      const manager = authenticated(request.caller);
      const workspace = await parts.directory.get(manager.workspaceId);
      const secrets = await parts.trust.anchorSecrets(workspace.id);
      const faults = judgePolicy(parts, request.body, new Set(secrets.map((row) => row.anchor_id)));
      if (faults.length > 0)
        throw new ServiceError('trust_policy_not_valid', 'the trust policy cannot be kept', { errors: faults });
      const wanted = { policy: request.body, ifMatch: request.header('if-match') };
      const outcome = await parts.ledger.append(workspace.id, async () => {
        const current = await parts.trust.policy(workspace.id);
        return preparePolicyChange(parts, workspace, current, wanted, actorOf(manager));
      });
      const changed = outcome.kind === 'appended' ? outcome.entries.at(-1) : undefined;
      const { after } = outcome.command;
      return replyWithPolicy({ ...after, updatedAt: changed?.at ?? after.updatedAt });
    },
  });
}
