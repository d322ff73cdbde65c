import { isExternalAnchor, type TrustPolicyValues } from '@answer-evidence/contracts';
import type { AttestedTree } from '@answer-evidence/ports';

/** Whether a tree has every external anchor that a policy demands, as stored; none is verified again. */
export function areAnchorsThere({ anchors, anchors_required: needed }: TrustPolicyValues, tree: AttestedTree): boolean {
  let confirmed = 0;
  for (const anchor of anchors) {
    if (!isExternalAnchor(anchor)) continue;
    const isThere = tree.anchors.some(({ id, type }) => id === anchor.id && type === anchor.type);
    if (isThere) confirmed++;
    else if (anchor.required) return false;
  }
  return confirmed >= Math.max(1, needed);
}
