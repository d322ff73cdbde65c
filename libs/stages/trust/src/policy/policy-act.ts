import { ServiceError } from '@answer-evidence/contracts';
import type { ApprovableAct } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';
import { judgePolicy, type PolicyJudges } from './judge-policy.ts';
import { preparePolicyChange } from './prepare-policy-change.ts';

/**
 * Trust policies that somebody asked for. They fit while the version is the one that they were asked against. The
 * places of anchors are not asked: they may be fit by the time that the policy is approved.
 */
export function createPolicyAct(deps: Pick<TrustDeps, 'trust' | 'clock' | 'random'> & PolicyJudges): ApprovableAct {
  return {
    async pin(workspace, { trust_policy: policy }) {
      if (policy === undefined) throw new TypeError('a trust policy is asked for');
      const secrets = await deps.trust.anchorSecrets(workspace.id);
      const errors = judgePolicy(deps, policy, new Set(secrets.map((row) => row.anchor_id)));
      if (errors.length > 0)
        throw new ServiceError('trust_policy_not_valid', 'the trust policy is invalid', { errors });
      const { version } = await deps.trust.policy(workspace.id);
      return { trust_policy: { ...policy, version: policy.version ?? version } };
    },
    async prepare({ workspace, request: { trust_policy: policy }, requester }) {
      if (policy === undefined) throw new TypeError('a trust policy is asked for');
      const current = await deps.trust.policy(workspace.id);
      return preparePolicyChange(deps, workspace, current, { policy, ifMatch: undefined }, requester);
    },
  };
}
