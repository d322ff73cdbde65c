import type { TrustFile } from '@answer-evidence/contracts';
import type { TreeSigner, VersionedTrustPolicy, Workspace } from '@answer-evidence/ports';
import { pinAnchors } from '@answer-evidence/verify';
import { toLogKeyResources } from '../log-keys/to-log-key-resources.ts';

/** The pins with which the service itself verifies: the workspace's own keys, and what its policy demands. */
export function trustOf(workspace: Workspace, signer: TreeSigner, { values }: VersionedTrustPolicy): TrustFile {
  return {
    format: 'answer-evidence-trust/v1',
    logs: [{ origin: workspace.origin, keys: toLogKeyResources(signer) }],
    witness_policy: values.witness_policy,
    tsa_roots: [],
    anchors: [...pinAnchors(values)],
    anchors_required: values.anchors_required,
  };
}
