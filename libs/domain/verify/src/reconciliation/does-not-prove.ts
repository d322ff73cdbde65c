import type { ReconciliationCheckName } from '@answer-evidence/contracts';

/** What a reader may not conclude from a PASS, one sentence a check. */
export const RECONCILIATION_DOES_NOT_PROVE: Readonly<Record<ReconciliationCheckName, string>> = {
  references: 'Not that the list is complete; the service cannot know about served answers that nobody listed.',
  records:
    'Not that no record of the application was left out, nor the statuses and opened texts; the service states these.',
  record_leaves:
    'Not that no record was left out: log entries do not name their application. The service states the statuses.',
  earlier_runs: 'Not that the earlier lists were right; only that they name these records.',
  findings: 'Not that an answer was delivered or right; only that the list and the record set produce these findings.',
  counts: 'Nothing beyond the findings.',
  statement: 'Not that the statement is right; only that the log’s own key signed it.',
  leaf_entry: 'Not that the times are right; the service states them.',
  log_order: 'Not that the times are right; only that each lies between those of the leaves beside it.',
  merkle_inclusion: 'Not that others were shown the same tree; proving that needs witnesses or anchors.',
  checkpoint_signature: 'Not that the signer shows everyone the same history; proving that needs witnesses or anchors.',
  checkpoint_consistency: 'Not that the run saw every record; only that it refers to this history.',
  witness_cosignatures: 'Not that the witnesses are independent of the service; the reader has to judge that.',
  external_anchor: 'Not that the findings are right; only that the run was in the log no later than the anchor.',
  anchored: 'Not that the findings are right; only that parties outside the service attest the checkpoint.',
};
