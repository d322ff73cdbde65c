import { example } from './operation-example.ts';
import { ANSWER } from './records.ts';

/** What becomes of a record, who reads it, and its proof. */
export const READING_RECORDS = [
  example('repeatedAnswer', 'createAnswerRecord', 201, 'The same request again: the same record', {
    body: ANSWER,
    isReplyShown: false,
  }),
  example('recordedOf', 'listAnswerRecords', 200, 'The newest records of one application', {
    query: { application_key: 'support-bot', status: 'recorded', size: '1' },
  }),
  example('correctedAnswer', 'appendLifecycleEvent', 200, 'A correction', {
    params: { answer_log_id: '@recordedAnswer#/id' },
    body: {
      event_type: 'correction_appended',
      reason: 'the policy has changed',
      payload: { corrected_answer_text: '14 days.' },
    },
  }),
  example('revealedAnswer', 'revealTexts', 200, 'The texts, for a reason that the log keeps', {
    params: { answer_log_id: '@recordedAnswer#/id' },
    body: { reason_code: 'complaint', reason: 'a customer says that the answer was wrong' },
    isReplyShown: false,
  }),
  example('readings', 'listReadings', 200, 'Who read the texts of a record, and why', {
    query: { answer_log_id: '@recordedAnswer#/id' },
  }),
  example('redactedAnswer', 'appendLifecycleEvent', 200, 'A redaction of the texts and of one source', {
    params: { answer_log_id: '@recordedAnswer#/id' },
    body: {
      event_type: 'redacted',
      payload: { reason_code: 'personal_data', redact_source_ref_ids: ['returns'] },
    },
    isReplyShown: false,
  }),
  example('withHistory', 'getAnswerRecord', 200, 'A corrected and redacted record', {
    params: { answer_log_id: '@recordedAnswer#/id' },
  }),
  example('verifiedAnswer', 'verifyAnswerRecord', 200, 'The first two of its checks', {
    params: { answer_log_id: '@recordedAnswer#/id' },
  }),
  example('answerProof', 'getAnswerProof', 200, 'A bundle for an offline verifier', {
    params: { answer_log_id: '@recordedAnswer#/id' },
  }),
  example('revealedProof', 'revealAnswerProof', 200, 'A bundle with its texts, for a reason that the log keeps', {
    params: { answer_log_id: '@recordedAnswer#/id' },
    body: { reason_code: 'audit', reason: 'the yearly audit' },
    isReplyShown: false,
  }),
  example('answerProofWithoutTexts', 'getAnswerProof', 200, 'A bundle without texts', {
    params: { answer_log_id: '@recordedAnswer#/id' },
    query: { texts: 'withheld' },
    isReplyShown: false,
  }),
];
