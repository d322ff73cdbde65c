import { example } from './operation-example.ts';

/** Evidence, and an answer that was made of it. */
export const KEEPING_EVIDENCE = [
  example('keptEvidence', 'createEvidenceAsset', 201, 'A text, split into its paragraphs', {
    body: {
      application_key: 'support-bot',
      name: 'returns.md',
      content_base64: 'UmV0dXJucy4KCjMwIGRheXMuCg==',
      attributes: { version: 7 },
    },
  }),
  example('listedEvidence', 'listEvidenceAssets', 200, 'The newest evidence of an application', {
    query: { application_key: 'support-bot', size: '10' },
  }),
  example('readEvidence', 'getEvidenceAsset', 200, 'What it is, without what is in it', {
    params: { asset_id: '@keptEvidence#/id' },
  }),
  example('retrievedEvidence', 'retrieveEvidence', 200, 'Its segments, and what binds them into an answer', {
    params: { asset_id: '@keptEvidence#/id' },
    body: { purpose: 'to answer msg-122' },
  }),
  example('boundAnswer', 'createAnswerRecord', 201, 'An answer that was made of it', {
    body: {
      application_key: 'support-bot',
      question: { text: 'And a coat?' },
      answer: { text: '30 days, too.' },
      source_refs: ['@retrievedEvidence#/source_ref'],
      evidence_access_event_ids: ['@retrievedEvidence#/access_event_id'],
    },
  }),
  example('evidenceAccesses', 'listEvidenceAccesses', 200, 'Who had it, why, and which answers were made of it', {
    params: { asset_id: '@keptEvidence#/id' },
  }),
  example('downloadedEvidence', 'downloadEvidence', 206, 'A part of the original', {
    params: { asset_id: '@keptEvidence#/id' },
    body: { range: { offset: 10, length: 8 } },
    isReplyShown: false,
  }),
  example('uploadedBesideAnswer', 'uploadRecordEvidence', 201, 'A file beside a record', {
    params: { answer_log_id: '@recordedAnswer#/id' },
    body: { name: 'complaint.txt', content_base64: 'SXQgdG9vayA0MCBkYXlzLg==' },
  }),
  example('registeredBesideAnswer', 'registerRecordEvidence', 201, 'Something that lies elsewhere, beside a record', {
    params: { answer_log_id: '@recordedAnswer#/id' },
    body: { external_uri: 'https://tickets.example.com/4711', attributes: { queue: 'returns' } },
  }),
  example('downloadedBesideAnswer', 'downloadRecordEvidence', 200, 'The file beside the record', {
    params: { answer_log_id: '@recordedAnswer#/id', asset_id: '@uploadedBesideAnswer#/id' },
    body: {},
    isReplyShown: false,
  }),
];
