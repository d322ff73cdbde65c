import { example } from './operation-example.ts';

/** Searches, saved views and holds. */
export const SEARCHING = [
  example('searched', 'searchRecords', 200, 'A message id, which one record has', {
    body: { text: 'msg-123' },
    // What follows shows the record with its trace, which is attached in the background.
    until: { pointer: '/items/0/trace_refs/0' },
  }),
  example('searchSession', 'openSearchSession', 201, 'A reason, under which texts are searched for words', {
    body: { reason_code: 'complaint', reason: 'A customer asks what we told them about jackets.' },
  }),
  example('wordIndex', 'getWordIndex', 200, 'The workspace does not search texts for words'),
  example('searchValues', 'listSearchValues', 200, 'What there is to filter records by'),
  example('markedRecords', 'listMarkedRecords', 200, 'A record, and what tells it apart', {
    query: { external_message_id: 'msg-123' },
  }),
  example('answered', 'countAnswered', 200, 'No answer was imported'),
  example('browsedTexts', 'browseTexts', 200, 'How the texts of a record begin', {
    body: {
      answer_log_ids: ['@recordedAnswer#/id'],
      reason_code: 'complaint',
      reason: 'A customer asks what we told them about jackets.',
    },
  }),
  example('savedView', 'createView', 201, 'A view of what was corrected in the last week', {
    body: { name: 'Corrected this week', filters: { status: 'corrected', recent_days: 7 } },
  }),
  example('savedViews', 'listViews', 200, 'The views of the workspace'),
  example('removedView', 'removeView', 204, 'A view is removed', { params: { view_id: '@savedView#/id' } }),
  example('placedHold', 'placeHold', 201, 'What one application answered is put on hold for a matter', {
    body: { matter: 'Case 2027-14', reason: 'A claim was announced', filters: { application_key: 'support-bot' } },
  }),
  example('holds', 'listHolds', 200, 'The holds that are in force', { query: { status: 'in_force' } }),
  example('hold', 'getHold', 200, 'One hold', { params: { hold_id: '@placedHold#/id' } }),
  example('heldRecords', 'listHeldRecords', 200, 'The newest record that it covers', {
    params: { hold_id: '@placedHold#/id' },
    query: { size: '1' },
  }),
  example('holdsOfRecord', 'listHoldsOfRecord', 200, 'The holds that cover one record', {
    params: { answer_log_id: '@recordedAnswer#/id' },
  }),
  example('releasedHold', 'releaseHold', 200, 'The hold is released', {
    params: { hold_id: '@placedHold#/id' },
    body: { reason: 'The claim was withdrawn' },
  }),
];
