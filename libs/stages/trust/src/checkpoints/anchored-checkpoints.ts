import { isExternalAnchor } from '@answer-evidence/contracts';
import type { AnchoredCheckpoints } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';
import { toBundleKeys } from '../log-keys/to-log-key-resources.ts';
import { toShownPolicy } from '../policy/to-policy-resource.ts';
import { chooseCheckpoint, findAnchored } from './choose-checkpoint.ts';

/** What other stages may know of the checkpoints of a log. */
export function createAnchoredCheckpoints(
  deps: Pick<TrustDeps, 'trust' | 'logs' | 'verifySignature' | 'verifyTimestamp'>,
): AnchoredCheckpoints {
  return {
    async choose(workspace, leafIndex) {
      const policy = await deps.trust.policy(workspace.id);
      const snapshot = await deps.logs.snapshot(workspace.id);
      const { head, note, anchors } = await chooseCheckpoint(deps, workspace, policy, snapshot, leafIndex);
      const logKeys = toBundleKeys(await deps.logs.signer(workspace.id));
      return { ...head, note, anchors, logKeys, policy: toShownPolicy(policy) };
    },

    async anchoredSize(workspace, treeSize) {
      const policy = await deps.trust.policy(workspace.id);
      if (!policy.values.anchors.some(isExternalAnchor)) return null;
      return (await findAnchored(deps, workspace, policy, { upTo: treeSize }))?.head.size ?? 0;
    },
  };
}
