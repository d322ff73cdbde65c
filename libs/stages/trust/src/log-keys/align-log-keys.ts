import type { Actor } from '@answer-evidence/contracts';
import type { VersionedTrustPolicy, Workspace } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';
import { keyMaker, liveKeysOf, prepareKeyAddition, prepareKeyRetirement } from './change-log-keys.ts';

const SERVICE: Actor = { kind: 'service', id: 'trust-policy', token_id: null };

/**
 * Makes the keys of a log those that its policy asks for: a key of ML-DSA-44 is added while the policy is hybrid and
 * none signs, as after a change of the policy, or under a new name of the log; and those that sign are retired while it
 * is not. Only for anyone who leads the log, before a checkpoint is published: so none is published without the
 * signature that the policy asks for. Another change at the same time is judged anew.
 */
export async function alignLogKeys(
  deps: Pick<TrustDeps, 'ledger' | 'logs' | 'trust' | 'clock' | 'random'>,
  workspace: Workspace,
  { values }: VersionedTrustPolicy,
): Promise<void> {
  const isHybrid = values.log_signatures === 'hybrid';
  const change = { source: deps, workspace, actor: SERVICE, isHybrid };
  const live = liveKeysOf(await deps.logs.signer(workspace.id), 'ml-dsa-44');
  if (isHybrid && live.length === 0) {
    const createKey = keyMaker(workspace, 'ml-dsa-44');
    await deps.ledger.append(workspace.id, async () =>
      prepareKeyAddition(change, await deps.logs.signer(workspace.id), 'ml-dsa-44', createKey),
    );
  }
  for (const { vkey } of isHybrid ? [] : live) {
    await deps.ledger.append(workspace.id, async () =>
      prepareKeyRetirement(change, await deps.logs.signer(workspace.id), vkey),
    );
  }
}
