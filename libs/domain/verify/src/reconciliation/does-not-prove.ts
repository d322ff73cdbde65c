import type { ReconciliationCheckName } from '@answer-evidence/contracts';

/** What a reader may not conclude from a PASS, one sentence a check. */
export const RECONCILIATION_DOES_NOT_PROVE: Readonly<Record<ReconciliationCheckName, string>> = {
  references: 'Not that the list is complete; the service cannot know what an application served and nobody listed.',
  records:
    'Not that no record of the application was left out, nor the statuses and opened texts; these are the word of the service.',
  record_leaves:
    'Not that no record was left out: entries of the log do not say of which application they are. Statuses stay the word of the service.',
  earlier_runs: 'Not that the earlier lists were right; only that they name these records.',
  findings: 'Not that an answer was delivered, or right; only that list and record set come to these findings.',
  counts: 'Not more than the findings do.',
  statement: 'Not that what is stated is right; only that the log’s own key states it.',
  leaf_entry: 'Not that the times are right; they are the statement of the service.',
  merkle_inclusion: 'Not that others were shown the same tree; that takes witnesses or anchors.',
  checkpoint_signature: 'Not that the signer shows everybody one history; that takes witnesses or anchors.',
  checkpoint_consistency: 'Not that the run saw every record that was there; only that it speaks of this history.',
  witness_cosignatures: 'Not that the witnesses are independent of the service; that is for the reader to judge.',
  external_anchor: 'Not that the findings are right; only that the run was in the log no later than the anchor.',
  anchored: 'Not that the findings are right; only that the checkpoint is vouched for outside of the service.',
};
