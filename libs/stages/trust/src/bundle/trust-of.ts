import type { TrustFile } from '@answer-evidence/contracts';
import type { Workspace } from '@answer-evidence/ports';

/** The pins with which the service itself verifies: the workspace's own key. */
export function trustOf(workspace: Workspace): TrustFile {
  return {
    format: 'answer-evidence-trust/v1',
    logs: [{ origin: workspace.origin, keys: [{ vkey: workspace.vkey, first_tree_size: 0, last_tree_size: null }] }],
    witness_policy: null,
    tsa_roots: [],
  };
}
