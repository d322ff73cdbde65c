import { example } from './operation-example.ts';

/** The first answer, which most examples are about. */
export const ANSWER = {
  application_key: 'support-bot',
  idempotency_key: 'example-1',
  question: { text: 'How long can I return a jacket?' },
  answer: { text: '30 days.' },
  source_refs: [{ source_ref_id: 'returns', source_name: 'returns.md' }],
  external_message_id: 'msg-123',
};

/** An answer, the links to it, and answers in a batch. */
export const RECORDING = [
  example('recordedAnswer', 'createAnswerRecord', 201, 'An answer with its source', {
    body: ANSWER,
  }),
  example('linksAllowed', 'patchTenantSettings', 200, 'Let people concerned see records by links', {
    body: { answer_audit_proof_links_enabled: true },
  }),
  example('proofLink', 'createProofLink', 201, 'A link that shows one record for a week', {
    params: { answer_log_id: '@recordedAnswer#/id' },
    body: { expires_in_seconds: 604_800 },
  }),
  example('openedProofLink', 'openProofLink', 200, 'What anyone sees who has the link', {
    body: { token: '@proofLink#/token' },
  }),
  example('proofPage', 'showProofPage', 200, 'The page that a link leads to', { isReplyShown: false }),
  example('proofPageBelow', 'showProofPageBelow', 200, 'The same page, at another address', {
    params: { path: 'anything' },
    isReplyShown: false,
  }),
  example('proofLinks', 'listProofLinks', 200, 'The links of a record, and when each was opened last', {
    params: { answer_log_id: '@recordedAnswer#/id' },
  }),
  example('revokedProofLink', 'revokeProofLink', 204, 'A link that opens nothing from now on', {
    params: { answer_log_id: '@recordedAnswer#/id', proof_link_id: '@proofLink#/id' },
  }),
  example('recordedAnswers', 'createAnswerRecords', 200, 'Two answers at once, of which one was recorded before', {
    body: {
      records: [
        ANSWER,
        {
          application_key: 'support-bot',
          idempotency_key: 'example-history-1',
          question: { text: 'Do you ship abroad?' },
          answer: { text: 'Not yet.' },
          semantic_refs: [{ type: 'import', claimed_at: '2024-05-02T09:30:00Z' }],
        },
      ],
    },
  }),
];
