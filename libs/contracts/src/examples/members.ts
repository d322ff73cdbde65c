import { example } from './operation-example.ts';

/** People, and what needs two of them. */
export const MEMBERS = [
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
];
