import { DOES_NOT_PROVE } from '../does-not-prove.ts';
import { nameChecks } from './name-checks.ts';
import type { Words } from './words-of.ts';

/** The verifier's words in English. */
export const ENGLISH: Words = {
  no_verdict: 'There is one outcome for each check, and no verdict over all of them.',
  never: 'No check shows that the answer is right, that it was delivered, or that nothing else was said.',
  may_be_said: 'What may be said of this record',
  outcomes: {
    FAIL: 'computed here, and it does not agree',
    PASS: 'computed here, and it agrees',
    SKIP: 'applies, and what was given does not decide it',
    NA: 'does not apply to this record',
  },
  states: {
    fails: 'does not hold',
    partly: 'holds in part',
    open: 'not decided',
    holds: 'holds',
    none: 'does not apply',
  },
  groups: {
    text: {
      name: 'Text',
      fails: 'A text does not agree with the record: it was altered, or it is missing or shown without a reason.',
      partly: 'The texts that are here match their hashes in the record; others were not given.',
      open: 'The texts were not given, so nothing is said of them.',
      holds: 'Each text matches its hash in the record.',
      none: 'There is no text to compare: it was erased, or only its hash was recorded.',
    },
    record: {
      name: 'Record',
      fails: 'The record, or something that it names, was altered after it was recorded.',
      partly: 'No field of the record was altered; not all that it names could be compared.',
      open: 'Whether the record was altered is not decided.',
      holds: 'No field of the record was altered after it was recorded.',
      none: 'Nothing is stated of the record.',
    },
    history: {
      name: 'History',
      fails: 'The history of the record is broken, incomplete, or does not lead to the status that is stated.',
      partly: 'The history that is shown is unbroken. Whether an event was left out is not decided: give the log.',
      open: 'Whether something happened to the record later is not decided: give the log.',
      holds: 'The history is unbroken, and the log has no other event of this record.',
      none: 'Nothing is stated of a history.',
    },
    log: {
      name: 'Log',
      fails: 'The record is not where the log should have it, or the log was not signed by a key that you trust.',
      partly: 'The record is in a log that was signed with a key that you trust. Not all of the log was compared.',
      open: 'Who signed the log is not decided: give a trust file.',
      holds: 'The record is in a log that was signed with a key that you trust, and the log is in order.',
      none: 'Nothing is stated of a log.',
    },
    outside: {
      name: 'Outside',
      fails: 'What parties outside of the service attest, or a list of the application, contradicts this evidence.',
      partly: 'Parties outside of the service attest the log. An attestation that is asked for is missing or unclear.',
      open: 'An attestation from outside of the service is still missing, or could not be verified.',
      holds: 'Parties outside of the service attest the log that has this record.',
      none: 'Nobody outside of the service attests this log: the word of its operator stands alone.',
    },
  },
  level_states: { said: 'may be said', open: 'not shown here', denied: 'a check speaks against it' },
  levels: {
    signed: {
      name: 'Signed',
      said: 'The operator signed a log that has the hashes of this record.',
      not_proved: 'The operator may have shown another log to somebody else, or signed later than is stated.',
    },
    witnessed: {
      name: 'Witnessed',
      said: 'Witnesses have seen this log, and it only ever grew between their visits.',
      not_proved: 'Whether the witnesses are independent of the operator is for the reader to judge.',
    },
    anchored: {
      name: 'Anchored',
      said: 'A party outside of the service attests that the log with this record existed by the time that it states.',
      not_proved: 'What was before that time rests on the word of the operator.',
    },
    compared: {
      name: 'Compared with a list',
      said: 'A list of the application was compared with the log, and nothing was found against this record.',
      not_proved: 'Whether the list was complete is known to its maker only.',
    },
  },
  marks: {
    differs: 'does not match what was recorded',
    matches: 'matches what was recorded',
    unchecked: 'not checked',
  },
  checks: nameChecks(
    {
      question_commitment: 'Text of the question',
      answer_commitment: 'Text of the answer',
      corrections: 'Texts of corrections',
      source_refs: 'Sources',
      semantic_refs: 'Semantic references',
      trace_refs: 'Attached traces',
      record_hash: 'Fields of the record',
      event_chain: 'Chain of events',
      event_completeness: 'No event left out',
      status_derivation: 'Status',
      leaf_entry: 'Entries of the log',
      log_order: 'Order of the log',
      merkle_inclusion: 'Place in the log',
      checkpoint_signature: 'Signature of the log',
      checkpoint_consistency: 'One history of the log',
      receipt: 'Your own receipt',
      evidence_binding: 'Retrieved evidence',
      reconciliation: 'List of the application',
      witness_cosignatures: 'Witnesses',
      external_anchor: 'Anchors',
      anchored: 'What the policy asks for',
    },
    DOES_NOT_PROVE,
  ),
};
