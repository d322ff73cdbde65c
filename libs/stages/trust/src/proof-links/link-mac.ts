import type { ProofLinkCore } from '@answer-evidence/contracts';
import type { Workspace } from '@answer-evidence/ports';

/** The workspace's MAC over what the entry of a link says, which only somebody who was given the link has. */
export function macOfLink({ vault }: Workspace, { id, answer_log_id, shows, expires_at }: ProofLinkCore): Uint8Array {
  return vault.mac('proof_links', [id, answer_log_id, shows, expires_at]);
}
