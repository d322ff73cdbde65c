import { example } from './operation-example.ts';

/** What a host is, its settings, its tokens, and the entries about them. */
export const FIRST_STEPS = [
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
];
