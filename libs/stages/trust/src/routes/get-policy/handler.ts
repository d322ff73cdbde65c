import { trustPolicy } from '@answer-evidence/contracts';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';
import { replyWithPolicy } from '../../policy/to-policy-resource.ts';

/** `GET /api/trust/policy`: what has to vouch for the log from outside. */
export function getPolicyRoute(deps: Pick<TrustDeps, 'trust'>): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/trust/policy',
    operationId: 'getTrustPolicy',
    summary: 'Read the trust policy',
    access: 'trust.read',
    responses: {
      200: {
        description: 'The policy; secrets of anchors are never shown',
        schema: trustPolicy,
        headers: { ETag: 'Version of the policy, for If-Match' },
      },
    },
    async handle({ caller }) {
      return replyWithPolicy(await deps.trust.policy(authenticated(caller).workspaceId));
    },
  });
}
