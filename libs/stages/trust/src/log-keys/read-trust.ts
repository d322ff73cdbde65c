import type { TrustFile } from '@answer-evidence/contracts';
import type { VersionedTrustPolicy, Workspace } from '@answer-evidence/ports';
import { pinAnchors } from '@answer-evidence/verify';
import type { TrustDeps } from '../deps.ts';
import { readLogKeyList } from './read-log-key-list.ts';

/** The keys that the log says it has, for the reader to compare with what they have from its owner. */
export async function readTrust(
  deps: TrustDeps,
  workspace: Workspace,
  { values }: VersionedTrustPolicy,
): Promise<TrustFile> {
  const { origin, items, earlier } = await readLogKeyList(deps, workspace);
  const keys = items.map(({ vkey, first_tree_size, last_tree_size }) => ({ vkey, first_tree_size, last_tree_size }));
  return {
    format: 'answer-evidence-trust/v1',
    logs: [{ origin, keys }, ...earlier],
    witness_policy: values.witness_policy,
    tsa_roots: [],
    anchors: [...pinAnchors(values)],
    anchors_required: values.anchors_required,
  };
}
