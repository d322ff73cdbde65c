import type { CheckName } from '@answer-evidence/contracts';

/** What a reader may not conclude from a PASS, one sentence a check. */
export const DOES_NOT_PROVE: Readonly<Record<CheckName, string>> = {
  question_commitment: 'Not that anyone asked this; only that the application submitted this question.',
  answer_commitment: 'Not that the answer is true or was delivered; only that the application submitted it.',
  corrections: 'Not that a correction is right; only that its text matches its commitment.',
  source_refs: 'Not that these sources were used or say this; only that the application named them.',
  semantic_refs: 'Not that these references are meaningful; only that the application named them.',
  trace_refs: 'Not that an upstream trace is true; only that the service bound it to the record.',
  record_hash: 'Not that what the record states is true; only that it has not been altered since it was recorded.',
  event_chain: 'Not that the chain is complete at its end; event_completeness checks that.',
  event_completeness: 'Not that nothing happened after the checkpoint or outside the service.',
  status_derivation: 'Not that the status is still the same; this is the status as of the checkpoint.',
  leaf_entry: 'Not that the times are right; only that the service states them in ascending order.',
  log_order: 'Not that the times are right; only that each lies between those of the leaves beside it.',
  merkle_inclusion: 'Not that others were shown the same tree; proving that needs witnesses or anchors.',
  checkpoint_signature: 'Not that the signer shows everyone the same history; proving that needs witnesses or anchors.',
  checkpoint_consistency: 'Not that nobody was shown another tree; only that these trees belong to one history.',
  receipt: 'Not that other records still exist; only that the log extends the tree of this receipt.',
  evidence_binding: 'Not that the evidence is true or was used for the answer; only that it was retrieved before.',
  reconciliation: 'Not that the caller’s own list is complete.',
  witness_cosignatures: 'Not that the witnesses are independent of the service; the reader has to judge that.',
  external_anchor: 'Not that the record is true; only that the tree existed no later than the anchor.',
  anchored: 'Not that the record is true; only that parties outside the service attest the checkpoint.',
};
