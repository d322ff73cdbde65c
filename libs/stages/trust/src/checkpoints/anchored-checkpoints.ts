import type { AnchoredCheckpoints } from '@answer-evidence/ports';
import { presentLogKeys } from '../log-keys/present-log-keys.ts';
import type { TrustParts } from '../parts.ts';
import { presentPolicy } from '../policy/present-policy.ts';
import { chooseCheckpoint, findAnchored } from './choose-checkpoint.ts';

/** What other stages may know of the checkpoints of a log. */
export function createAnchoredCheckpoints(
  parts: Pick<TrustParts, 'trust' | 'logs' | 'verifyEd25519' | 'verifyTimestamp'>,
): AnchoredCheckpoints {
  return {
    async choose(workspace, leafIndex) {
      const policy = await parts.trust.policy(workspace.id);
      const snapshot = await parts.logs.snapshot(workspace.id);
      const { head, note, anchors } = await chooseCheckpoint(parts, workspace, policy, snapshot, leafIndex);
      const logKeys = presentLogKeys(await parts.logs.signer(workspace.id));
      return { size: head.size, note, anchors, logKeys, policy: presentPolicy(policy) };
    },

    async anchoredSize(workspace, treeSize) {
      const policy = await parts.trust.policy(workspace.id);
      if (policy.values.anchors.every(({ type }) => type === 'file')) return null;
      return (await findAnchored(parts, workspace, policy, { upTo: treeSize }))?.head.size ?? 0;
    },
  };
}
