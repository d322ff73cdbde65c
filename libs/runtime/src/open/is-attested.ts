import { isExternalAnchor } from '@answer-evidence/contracts';
import { parseWitnessPolicy } from '@answer-evidence/note';
import type { Stores } from './open-stores.ts';

/** Whether the policy of at least one workspace asks somebody outside of this machine to vouch for its log. */
export async function isAnyLogAttested({ work, trust }: Pick<Stores, 'work' | 'trust'>): Promise<boolean> {
  for (const { id } of await work.withTrustPolicy()) {
    // An unreadable policy asks nobody; the ledger check names the damage, and the start is not refused.
    const values = (await trust.policy(id).catch(() => undefined))?.values;
    if (values === undefined) continue;
    if (values.anchors.some(isExternalAnchor)) return true;
    if (parseWitnessPolicy(values.witness_policy).quorum !== null) return true;
  }
  return false;
}
