import type { TrustFile } from '@answer-evidence/contracts';
import type { VersionedTrustPolicy, Workspace } from '@answer-evidence/ports';
import { pinsOf } from '../checkpoints/choose-checkpoint.ts';

/** The pins with which the service itself verifies: the workspace's own key, and what its policy demands. */
export function trustOf(workspace: Workspace, { values }: VersionedTrustPolicy): TrustFile {
  return {
    format: 'answer-evidence-trust/v1',
    logs: [{ origin: workspace.origin, keys: [{ vkey: workspace.vkey, first_tree_size: 0, last_tree_size: null }] }],
    witness_policy: values.witness_policy,
    tsa_roots: [],
    anchors: [...pinsOf(values)],
    anchors_required: values.anchors_required,
  };
}
