import { parseWitnessPolicy } from '@answer-evidence/note';
import type { Stores } from './open-stores.ts';

/** Whether the policy of at least one workspace asks somebody outside of this machine to vouch for its log. */
export async function isAnyLogVouchedFor({ directory, trust }: Pick<Stores, 'directory' | 'trust'>): Promise<boolean> {
  for (const { id } of await directory.list()) {
    // A policy that cannot be read asks nobody; naming the damage is the ledger check's part, and no reason to refuse
    // the start.
    const values = (await trust.policy(id).catch(() => undefined))?.values;
    if (values === undefined) continue;
    if (values.anchors.some(({ type }) => type !== 'file')) return true;
    if (parseWitnessPolicy(values.witness_policy).quorum !== null) return true;
  }
  return false;
}
