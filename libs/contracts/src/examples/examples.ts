import type { OperationExample } from './operation-example.ts';

/** A request of an exporter in JSON: one span of the scope `app` that calls a model, without a parent. */
const EXPORTED_CALL =
  'eyJyZXNvdXJjZVNwYW5zIjpbeyJyZXNvdXJjZSI6eyJhdHRyaWJ1dGVzIjpbeyJrZXkiOiJzZXJ2aWNlLm5hbWUiLCJ2YWx1ZSI6' +
  'eyJzdHJpbmdWYWx1ZSI6InN1cHBvcnQtYm90In19XX0sInNjb3BlU3BhbnMiOlt7InNjb3BlIjp7Im5hbWUiOiJhcHAifSwic3Bh' +
  'bnMiOlt7InRyYWNlSWQiOiIwYWY3NjUxOTE2Y2Q0M2RkODQ0OGViMjExYzgwMzE5YyIsInNwYW5JZCI6ImI3YWQ2YjcxNjkyMDMz' +
  'MzEiLCJuYW1lIjoiY2hhdCIsImtpbmQiOjMsImF0dHJpYnV0ZXMiOlt7ImtleSI6Imdlbl9haS5vcGVyYXRpb24ubmFtZSIsInZh' +
  'bHVlIjp7InN0cmluZ1ZhbHVlIjoiY2hhdCJ9fSx7ImtleSI6Imdlbl9haS5jb21wbGV0aW9uIiwidmFsdWUiOnsic3RyaW5nVmFs' +
  'dWUiOiJZZXMuIn19XX1dfV19XX0=';

/** At least one example of every operation, each built on those before; record a new one by `npm run api:examples`. */
export const EXAMPLES: readonly OperationExample[] = [
  example('aboutHost', 'describeHost', 200, 'What this host is'),
  example('tokenKeys', 'getKeySet', 200, 'Keys that sign application tokens'),
  example('manager', 'getIdentity', 200, 'A tenant manager'),
  example('firstPolicy', 'getTenantSettings', 200, 'The policy of a new workspace'),
  example('keptForTwoYears', 'patchTenantSettings', 200, 'Keep answers for two years', {
    body: { answer_audit_default_retention_days: 730 },
  }),
  // Its months are those of the day on which it is asked.
  example('forecast', 'getRetentionForecast', 200, 'How many texts will be erased when', { isReplyShown: false }),
  example('deviceLogin', 'beginDeviceLogin', 200, 'A program that a person is to sign in', {
    body: { client_name: 'answer-evidence command line' },
  }),
  example('undecidedDevice', 'redeemDeviceLogin', 400, 'Nobody has decided yet', {
    body: { device_code: '@deviceLogin#/device_code' },
  }),
  example('applicationToken', 'createToken', 201, 'A token for an application that records and reads its answers', {
    body: {
      name: 'support bot, production',
      kind: 'application',
      application_key: 'support-bot',
      scopes: ['answer_audit:create', 'answer_audit:read'],
      expires_in_seconds: 86_400,
    },
  }),
  example('tokens', 'listTokens', 200, 'Every token, without its secret'),
  example('readToken', 'getToken', 200, 'A token, without its secret', {
    params: { token_id: '@applicationToken#/id' },
  }),
  example('rotatedToken', 'rotateToken', 201, 'A successor, while the old token works for another hour', {
    params: { token_id: '@applicationToken#/id' },
    body: { overlap_seconds: 3600 },
  }),
  example('entries', 'listWorkspaceEntries', 200, 'What changed of the policy, and from what to what', {
    query: { type: 'settings_changed' },
  }),
  example('entry', 'getWorkspaceEntry', 200, 'An entry with its receipt', {
    params: { entry_id: '@entries#/items/0/id' },
  }),
  example('recordedAnswer', 'createAnswerRecord', 201, 'An answer with its source', {
    body: {
      application_key: 'support-bot',
      idempotency_key: 'example-1',
      question: { text: 'How long can I return a jacket?' },
      answer: { text: '30 days.' },
      source_refs: [{ source_ref_id: 'returns', source_name: 'returns.md' }],
      external_message_id: 'msg-123',
    },
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
        {
          application_key: 'support-bot',
          idempotency_key: 'example-1',
          question: { text: 'How long can I return a jacket?' },
          answer: { text: '30 days.' },
          source_refs: [{ source_ref_id: 'returns', source_name: 'returns.md' }],
          external_message_id: 'msg-123',
        },
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
  example('repeatedAnswer', 'createAnswerRecord', 201, 'The same request again: the same record', {
    body: {
      application_key: 'support-bot',
      idempotency_key: 'example-1',
      question: { text: 'How long can I return a jacket?' },
      answer: { text: '30 days.' },
      source_refs: [{ source_ref_id: 'returns', source_name: 'returns.md' }],
      external_message_id: 'msg-123',
    },
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
    until: { member: 'status', value: 'completed' },
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
  example('logKeys', 'listLogKeys', 200, 'The key that signs the log'),
  example('checkedLedger', 'checkLedger', 200, 'A ledger without a fault'),
  example('firstTrustPolicy', 'getTrustPolicy', 200, 'Of a new workspace'),
  example('publicLog', 'putTrustPolicy', 200, 'A checkpoint a minute, of a log that everybody may read', {
    body: {
      checkpoint_interval_seconds: 60,
      anchor_interval_seconds: 3600,
      anchors: [],
      anchors_required: 0,
      witness_policy: 'quorum none\n',
      public_log: true,
    },
  }),
  example('anchoredNow', 'runAnchors', 202, 'Anchor before the interval is over'),
  example('triedAnchor', 'testAnchor', 200, 'Try an anchor before it is in the policy', {
    body: { id: 'copy', type: 'file' },
  }),
  example('triedWitness', 'testWitness', 422, 'A witness that no policy could have', {
    body: { vkey: 'witness.example', url: 'https://witness.example' },
  }),
  example('anchors', 'listAnchors', 200, 'No anchor yet', { query: { size: '2' } }),
  // How many are published by now is a matter of time.
  example('checkpoints', 'listCheckpoints', 200, 'The newest two', { query: { size: '2' }, isReplyShown: false }),
  example('witnesses', 'listWitnesses', 200, 'No witness yet'),
  // Before there is a second key: what is published after it has two signatures.
  example('checkpoint', 'readTlog', 200, 'The newest checkpoint', {
    params: { workspace: '@manager#/workspace/slug', path: 'checkpoint' },
    until: 'status',
  }),
  example('nextLogKey', 'addLogKey', 201, 'A key that signs beside the first one'),
  example('retiredLogKey', 'retireLogKey', 200, 'The first key signs no more', {
    body: { vkey: '@logKeys#/items/0/vkey' },
  }),
  example('exportedAnswers', 'exportAnswerRecords', 200, 'Records of one application as JSON lines', {
    query: { format: 'jsonl', application_key: 'support-bot', created_after: '2026-01-01T00:00:00Z' },
  }),
  example('evidencePack', 'createPack', 200, 'One record in an HTML file that verifies itself', {
    body: { answer_log_ids: ['@recordedAnswer#/id'] },
    isReplyShown: false,
  }),
  example('newHashKey', 'createHashKey', 201, 'A new key, active from now on'),
  example('hashKeys', 'listHashKeys', 200, 'The keys, without their bytes'),
  example('hashedId', 'hashId', 200, 'What records name a person by, under the only key', {
    body: { kind: 'actor', id: 'anna@example.com' },
  }),
  example('revokedToken', 'revokeToken', 204, 'A token that ends now', { params: { token_id: '@rotatedToken#/id' } }),
  example('newMember', 'createMember', 201, 'A reviewer, and the link by which they set their password', {
    body: { username: 'anna', role: 'member' },
  }),
  example('weakPassword', 'setPassword', 422, 'A password that is not accepted; the link still works', {
    body: { secret: '@newMember#/password_link/secret', password: 'anna-anna-anna' },
  }),
  example('passwordSet', 'setPassword', 200, 'A password by a link', {
    body: { secret: '@newMember#/password_link/secret', password: 'four words of an example' },
  }),
  example('signedIn', 'login', 200, 'A token for twelve hours', {
    body: { username: 'anna', password: 'four words of an example', token_name: 'laptop of anna' },
  }),
  example('notSignedIn', 'login', 401, 'The same for an unknown name, a wrong password and a disabled member', {
    body: { username: 'nobody', password: 'four words of an example' },
  }),
  example('secondManager', 'patchMember', 200, 'Made a manager', {
    params: { member_id: '@newMember#/id' },
    body: { role: 'manager' },
  }),
  example('askedApproval', 'requestApproval', 201, 'A void that a second manager is to approve', {
    body: {
      reason: 'The page that the answer cites was withdrawn.',
      event: { answer_log_id: '@boundAnswer#/id', event_type: 'voided', reason: 'withdrawn source' },
    },
  }),
  example('approvals', 'listApprovals', 200, 'What waits for a second person', { query: { state: 'open' } }),
  example('readApproval', 'getApproval', 200, 'What was asked for', {
    params: { approval_id: '@askedApproval#/id' },
  }),
  example('ownApproval', 'approveRequest', 403, 'Who asked cannot approve', {
    params: { approval_id: '@askedApproval#/id' },
  }),
  example('approvedRequest', 'approveRequest', 200, 'Approved by another manager: the record is voided', {
    params: { approval_id: '@askedApproval#/id' },
    token: '@signedIn#/token',
  }),
  example('askedAgain', 'requestApproval', 201, 'Another request, which its sender thinks better of', {
    body: {
      reason: 'The customer asks for it.',
      event: { answer_log_id: '@boundAnswer#/id', event_type: 'redacted', payload: { reason_code: 'privacy' } },
    },
  }),
  example('withdrawnRequest', 'withdrawRequest', 200, 'It is not wanted any more', {
    params: { approval_id: '@askedAgain#/id' },
  }),
  example('askedThird', 'requestApproval', 201, 'A third request', {
    body: {
      reason: 'The customer asks for it again.',
      event: { answer_log_id: '@boundAnswer#/id', event_type: 'redacted', payload: { reason_code: 'privacy' } },
    },
  }),
  example('declinedRequest', 'declineRequest', 200, 'The other manager says no', {
    params: { approval_id: '@askedThird#/id' },
    token: '@signedIn#/token',
  }),
  example('linkedMember', 'patchMember', 200, 'Linked to a subject of an OpenID provider', {
    params: { member_id: '@newMember#/id' },
    body: { provider: { issuer: 'https://login.example.com', subject: 'auth0|5f7c8ec7c33c6c004bbafe82' } },
  }),
  example('members', 'listMembers', 200, 'Everybody, with how they sign in'),
  example('readMember', 'getMember', 200, 'A manager who signs in with a password', {
    params: { member_id: '@newMember#/id' },
  }),
  example('removedMember', 'removeMember', 204, 'Removed, with all their tokens', {
    params: { member_id: '@newMember#/id' },
  }),
  example('passwordPage', 'showPasswordPage', 200, 'The page that a password link opens', { isReplyShown: false }),
  example(
    'otlpTraces',
    'ingestOtlpTraces',
    200,
    'A span of the answer that was recorded first, in JSON; exporters send protobuf as well',
    { body: otlpTraces('example-1') },
  ),
  example('otlpLogs', 'ingestOtlpLogs', 200, 'No log records', { body: { resourceLogs: [] } }),
  example(
    'otlpWithoutName',
    'ingestOtlp',
    200,
    'A span that says whose it is nowhere: the reply names it and the reason',
    { body: { resourceSpans: [{ scopeSpans: otlpTraces('msg-124').resourceSpans[0].scopeSpans }] } },
  ),
  example('otlpExplained', 'explainOtlp', 200, 'A span that would be an answer, and what of it is read', {
    body: otlpTraces('example-1'),
  }),
  example('otlpRulesExplained', 'explainOtlpRules', 200, 'A call of a model that rules would exclude', {
    body: {
      request_base64: EXPORTED_CALL,
      content_type: 'application/json',
      rules: [{ application_key: 'support-bot', exclude: [{ operation_name: 'chat', is_root: true }] }],
    },
  }),
  example('searched', 'searchRecords', 200, 'A message id, which one record has', { body: { text: 'msg-123' } }),
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
  example('unattachedTraces', 'listUnattachedTraces', 200, 'Every trace has found its record, or still waits for it', {
    query: { application_key: 'nobody' },
  }),
  example('ignoredItems', 'listIgnoredItems', 200, 'Nothing of this application was ignored', {
    query: { application_key: 'nobody' },
  }),
  example('traceFates', 'getTraceFates', 200, 'Nothing of this trace came', {
    params: { trace_id: '0af7651916cd43dd8448eb211c80319d' },
  }),
  example('overview', 'getOverview', 200, 'What needs somebody, and the answers of the last days'),
  example('targets', 'listNotificationTargets', 200, 'Nothing is told to anybody'),
  example('newTarget', 'createNotificationTarget', 201, 'A webhook that is told of redactions and failing anchors', {
    body: {
      name: 'on-call',
      url: 'https://hooks.example.com/evidence',
      event_types: ['record.redacted', 'anchor.failing'],
    },
  }),
  example('notAnAddress', 'createNotificationMailTarget', 422, 'Mail goes to one address, without a name', {
    body: { name: 'anna', address: 'Anna <anna@example.com>', digest: 'daily', hour: 7, language: 'en' },
  }),
  example('ownNotifications', 'getOwnNotifications', 200, 'None yet, and the types that the caller may have'),
  example('ownAddress', 'putOwnNotifications', 422, 'Mail goes to one address, without a name', {
    body: { address: 'Anna <anna@example.com>', digest: 'daily', hour: 7, event_types: ['findings.overdue'] },
  }),
  example('ownCode', 'confirmOwnNotifications', 404, 'No address is set', {
    body: { code: '0123456789abcdef01234567' },
  }),
  example('noOwnNotifications', 'removeOwnNotifications', 404, 'No address is set'),
  example('wrongCode', 'confirmNotificationTarget', 422, 'A code that was not sent', {
    params: { target_id: '@newTarget#/id' },
    body: { code: '0123456789abcdef01234567' },
  }),
  example('readTarget', 'getNotificationTarget', 200, 'How it does, without its secret', {
    params: { target_id: '@newTarget#/id' },
  }),
  example('disabledTarget', 'patchNotificationTarget', 200, 'Nothing goes there until it is enabled', {
    params: { target_id: '@newTarget#/id' },
    body: { state: 'disabled' },
  }),
  example('rotatedTarget', 'rotateNotificationSecret', 201, 'A new secret; for an hour both sign', {
    params: { target_id: '@newTarget#/id' },
    body: { overlap_seconds: 3600 },
  }),
  example('testedTarget', 'testNotificationTarget', 202, 'A test, which waits until the target is enabled', {
    params: { target_id: '@newTarget#/id' },
  }),
  example('deliveries', 'listNotificationDeliveries', 200, 'What is on its way', {
    params: { target_id: '@newTarget#/id' },
    query: { state: 'pending' },
  }),
  example('replayedDelivery', 'replayNotificationDelivery', 202, 'It is due again', {
    params: { target_id: '@newTarget#/id', notification_id: '@testedTarget#/notification_id' },
  }),
  example('removedTarget', 'removeNotificationTarget', 204, 'The target and what waited for it are gone', {
    params: { target_id: '@newTarget#/id' },
  }),
  example('streams', 'listStreams', 200, 'No entry is sent anywhere'),
  example('newStream', 'createStream', 201, 'Every entry from now on goes to a collector', {
    body: {
      name: 'siem',
      destination: {
        type: 'https',
        url: 'https://siem.example.com/services/collector/raw',
        header: { name: 'Authorization', value: 'Splunk 00000000-0000-0000-0000-000000000000' },
      },
    },
  }),
  example('changedStream', 'patchStream', 200, 'Entries wait until the stream is enabled', {
    params: { stream_id: '@newStream#/id' },
    body: { state: 'disabled' },
  }),
  example('readStream', 'getStream', 200, 'How far it is', { params: { stream_id: '@newStream#/id' } }),
  example('testedStream', 'testStream', 200, 'The collector was not reached', {
    params: { stream_id: '@newStream#/id' },
  }),
  example('removedStream', 'removeStream', 204, 'Nothing goes there any more', {
    params: { stream_id: '@newStream#/id' },
  }),
  example('deadLetters', 'listDeadLetters', 200, 'No job has been given up'),
  example('noDeadLetter', 'replayDeadLetter', 404, 'A job that has not been given up', {
    params: { dead_letter_id: '0199f3c2-0000-7000-8000-000000000001' },
  }),
  example('description', 'getOpenApi', 200, 'This description', { isReplyShown: false }),
  example('page', 'getApiDocs', 200, 'This description as a page', { isReplyShown: false }),
  example('pageScript', 'getApiDocsAsset', 200, 'The script that starts the page', {
    params: { asset: 'start.js' },
    isReplyShown: false,
  }),
  // Ends the token that all examples are asked with, so nothing comes after it.
  example('signedOut', 'logout', 204, 'The token of the request ends'),
];

/** A request of one span that names a record by its key. */
function otlpTraces(key: string) {
  const texts = (attributes: Readonly<Record<string, string>>) =>
    Object.entries(attributes).map(([name, stringValue]) => ({ key: name, value: { stringValue } }));
  const span = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    name: 'answer a question',
    startTimeUnixNano: '1795165200000000000',
    attributes: texts({ 'service.audit.idempotency_key': key }),
  };
  const resource = { attributes: texts({ 'service.name': 'support-bot' }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] } as const;
}

function example(
  name: string,
  operationId: string,
  status: number,
  summary: string,
  more: Omit<OperationExample, 'name' | 'operationId' | 'status' | 'summary'> = {},
): OperationExample {
  return { name, operationId, status, summary, ...more };
}
