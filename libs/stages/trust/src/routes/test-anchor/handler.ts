import { secretOf, ServiceError } from '@answer-evidence/contracts';
import { testAnchor } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { withSecret } from '../../anchoring/anchor-target.ts';
import { tryAnchor } from '../../anchoring/try-anchor.ts';
import type { TrustDeps } from '../../deps.ts';
import { judgeAnchor } from '../../policy/judge-policy.ts';

const TEST_MS = 20_000;

/** `POST /api/trust/anchors/test`: tries an anchor as a policy would have it, and keeps nothing. */
export function testAnchorRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...testAnchor,
    async handle({ body, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const secrets = await deps.trust.anchorSecrets(workspace.id);
      const errors = judgeAnchor(deps, body, '', new Set(secrets.map((row) => row.anchor_id)));
      if (errors.length > 0)
        throw new ServiceError('trust_policy_not_valid', 'a policy could not have this anchor', { errors });
      const config = secretOf(body) === undefined ? await withSecret(deps, workspace, body) : body;
      return { status: 200, body: await tryAnchor(deps, workspace, config, AbortSignal.timeout(TEST_MS)) };
    },
  });
}
