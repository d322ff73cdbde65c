import { ServiceError } from '@answer-evidence/contracts';
import { testWitness } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';
import { judgeWitness } from '../../policy/judge-witness.ts';
import { tryWitness } from '../../witnessing/try-witness.ts';

const TEST_MS = 15_000;

/** `POST /api/trust/witnesses/test`: asks a witness about the newest published checkpoint, and keeps nothing. */
export function testWitnessRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...testWitness,
    async handle({ body, caller }) {
      const { workspaceId } = caller;
      const judged = judgeWitness(deps, body);
      if ('errors' in judged)
        throw new ServiceError('trust_policy_not_valid', 'a policy could not have this witness', {
          errors: judged.errors,
        });
      const newest = await deps.trust.newestPublished(workspaceId);
      if (newest === undefined) {
        const detail = 'nothing of the log is published yet; try again in some seconds';
        return { status: 200, body: { outcome: 'not_tried', detail, stated_at: null } };
      }
      const note = await (await deps.logs.signer(workspaceId)).sign({ size: newest.tree_size, root: newest.root });
      const tested = await tryWitness(deps, judged.witness, note, AbortSignal.timeout(TEST_MS));
      return { status: 200, body: tested };
    },
  });
}
