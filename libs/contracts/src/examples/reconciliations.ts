import { example } from './operation-example.ts';

/** A run, its findings, and the work on them. */
export const RECONCILING = [
  example('newRun', 'createReconciliationRun', 202, 'Two answers that an application says it gave between two times', {
    body: {
      application_key: 'support-bot',
      window_start: '@recordedAnswer#/created_at',
      window_end: '@correctedAnswer#/events/0/created_at',
      match_on: 'external_message_id',
      references: [
        { reference_id: 'msg-123', occurred_at: '@recordedAnswer#/created_at' },
        { reference_id: 'msg-124', occurred_at: '@recordedAnswer#/created_at' },
      ],
    },
  }),
  example('completedRun', 'getReconciliationRun', 200, 'A completed run: one answer has its record, one has none', {
    params: { run_id: '@newRun#/id' },
    until: { pointer: '/status', value: 'completed' },
  }),
  example('runs', 'listReconciliationRuns', 200, 'The newest run of an application', {
    query: { application_key: 'support-bot', size: '1' },
    isReplyShown: false,
  }),
  example('findings', 'listReconciliationFindings', 200, 'What is missing', {
    params: { run_id: '@newRun#/id' },
    query: { type: 'missing_service' },
  }),
  example('takenFinding', 'appendTriageStep', 200, 'Take a finding', {
    params: { run_id: '@newRun#/id', position: '0' },
    body: { action: 'assign', assignee_id: '@manager#/id', version: 0 },
  }),
  example('resolvedFinding', 'appendTriageStep', 200, 'Resolve a finding, with a reason', {
    params: { run_id: '@newRun#/id', position: '0' },
    body: { action: 'resolve', resolution: 'cause_fixed', text: 'The queue was full; it is larger now.' },
  }),
  example('findingTriage', 'getFindingTriage', 200, 'A finding and every step of the work on it', {
    params: { run_id: '@newRun#/id', position: '0' },
    isReplyShown: false,
  }),
  example('assignees', 'listAssignees', 200, 'Who can have a finding'),
  example('triage', 'listFindingTriage', 200, 'What is resolved', {
    params: { run_id: '@newRun#/id' },
    query: { state: 'resolved' },
  }),
  example('recordSet', 'getReconciliationRecords', 200, 'The records that were compared, as JSON lines', {
    params: { run_id: '@newRun#/id' },
  }),
  example('runProof', 'getReconciliationProof', 200, 'For an offline verifier', { params: { run_id: '@newRun#/id' } }),
];
