import { example } from './operation-example.ts';

/** What vouches for the log, exports, and the keys of a workspace. */
export const TRUSTING = [
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
];
