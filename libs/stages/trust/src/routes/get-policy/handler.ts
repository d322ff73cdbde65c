import { getTrustPolicy } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';
import { replyWithPolicy } from '../../policy/to-policy-resource.ts';

/** `GET /api/trust/policy`: what has to vouch for the log from outside. */
export function getPolicyRoute(deps: Pick<TrustDeps, 'trust'>): Route {
  return defineRoute({
    ...getTrustPolicy,
    async handle({ caller }) {
      return replyWithPolicy(await deps.trust.policy(caller.workspaceId));
    },
  });
}
