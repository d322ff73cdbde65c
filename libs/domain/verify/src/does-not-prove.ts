import type { CheckName } from '@answer-evidence/contracts';

/** What a reader may not conclude from a PASS, one sentence a check. */
export const DOES_NOT_PROVE: Readonly<Record<CheckName, string>> = {
  question_commitment: 'Not that anybody asked this; only that this is the question the application submitted.',
  answer_commitment: 'Not that the answer is true or was delivered; only that this is what the application submitted.',
  corrections: 'Not that a correction is right; only that its text is the one committed to.',
  source_refs: 'Not that these sources were used or say this; only that the application named them.',
  semantic_refs: 'Not that these references are meaningful; only that the application named them.',
  trace_refs: 'Not that an upstream trace is true; only that the service bound it to the record.',
  record_hash: 'Not that what the record states is true; only that it has not been altered since it was recorded.',
  event_chain: 'Not that the chain is whole at its end; that is event_completeness.',
  event_completeness: 'Not that nothing happened after the checkpoint, or outside of the service.',
  status_derivation: 'Not that the status is still the same; it is the status as of the checkpoint.',
  leaf_entry: 'Not that the times are right; they are the statement of the service, in ascending order.',
  merkle_inclusion: 'Not that others were shown the same tree; that takes witnesses or anchors.',
  checkpoint_signature: 'Not that the signer shows everybody one history; that takes witnesses or anchors.',
  checkpoint_consistency: 'Not that nobody was shown another tree; only that these trees are one history.',
  receipt: 'Not that other records are still there; only that the tree of this receipt was kept.',
  evidence_binding: 'Not that the evidence was used for the answer, or is true; only that it was retrieved before.',
  reconciliation: 'Not that the caller’s own list is complete.',
  witness_cosignatures: 'Not that the witnesses are independent of the service; that is for the reader to judge.',
  external_anchor: 'Not that the record is true; only that the tree existed no later than the anchor.',
  anchored: 'Not that the record is true; only that the checkpoint is vouched for outside of the service.',
};
