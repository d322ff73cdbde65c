import { ServiceError } from '@answer-evidence/contracts';
import { testWitness } from '@answer-evidence/contracts/operations';
import { proveGrowth } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';
import { judgeWitness } from '../../policy/judge-witness.ts';
import type { TreeHead } from '../../publishing/sign-head.ts';
import { joinWitness } from '../../witnessing/join-witness.ts';
import { tryWitness } from '../../witnessing/try-witness.ts';

const TEST_MS = 15_000;

/**
 * `POST /api/trust/witnesses/test`: asks a witness about the newest published checkpoint, and keeps nothing here. With
 * `cosign` the witness signs it and keeps it, as it would in the policy.
 */
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
      const head = { size: newest.tree_size, root: newest.root };
      const note = await (await deps.logs.signer(workspaceId)).sign(head);
      const signal = AbortSignal.timeout(TEST_MS);
      const readProof = proofsOf(deps, workspaceId, head);
      const tested =
        body.cosign === true
          ? await joinWitness(deps, { witness: judged.witness, note, signal, readProof })
          : await tryWitness(deps, judged.witness, note, signal);
      return { status: 200, body: tested };
    },
  });
}

/** Consistency proofs from smaller trees to this one. */
function proofsOf({ logs }: Pick<TrustDeps, 'logs'>, workspaceId: string, head: TreeHead) {
  return async (fromSize: number) => {
    const { nodes } = await logs.snapshot(workspaceId);
    // A witness that is given a wrong proof says that it has seen another log.
    return proveGrowth(nodes, { size: fromSize }, head);
  };
}
