import { expect, it } from '@jest/globals';
import { createFakeWorkspace, findWrongAccess } from '@answer-evidence/testing';
import type { NotificationDeps } from './notifications/deps.ts';
import { createNotificationParts } from './notifications/parts.ts';
import { describeHostRoute } from './routes/describe-host/handler.ts';
import { createWorkspaceStage } from './stage.ts';
import type { StreamDeps } from './streams/deps.ts';
import { createStreamParts } from './streams/parts.ts';

it('every route takes the callers of its row, and refuses all others before its handler runs', async () => {
  const routes = [
    ...createWorkspaceStage(createFakeWorkspace()).routes,
    // Callers who are refused reach none of what it uses.
    ...createNotificationParts({} as NotificationDeps).routes,
    ...createStreamParts({} as StreamDeps).routes,
    describeHostRoute({}),
  ];
  expect(
    await findWrongAccess(routes, {
      describeHost: 'public',
      getKeySet: 'public',
      login: 'public',
      beginDeviceLogin: 'public',
      redeemDeviceLogin: 'public',
      setPassword: 'public',
      showPasswordPage: 'public',
      getIdentity: 'whoami',
      getOverview: 'overview',
      logout: 'tokens.own',
      createToken: 'tokens.own',
      getToken: 'tokens.own',
      listTokens: 'tokens.own',
      revokeToken: 'tokens.own',
      rotateToken: 'tokens.own',
      getTenantSettings: 'settings.read',
      patchTenantSettings: 'settings.manage',
      listWorkspaceEntries: 'entries.read',
      getWorkspaceEntry: 'entries.read',
      listReadings: 'entries.read',
      createHashKey: 'hash_keys.manage',
      listHashKeys: 'hash_keys.manage',
      hashId: 'hash_keys.manage',
      listMembers: 'members.read',
      getMember: 'members.read',
      createMember: 'members.change',
      patchMember: 'members.change',
      removeMember: 'members.change',
      listNotificationTargets: 'notifications',
      confirmNotificationTarget: 'notifications',
      createNotificationMailTarget: 'notifications',
      createNotificationTarget: 'notifications',
      getNotificationTarget: 'notifications',
      patchNotificationTarget: 'notifications',
      removeNotificationTarget: 'notifications',
      rotateNotificationSecret: 'notifications',
      testNotificationTarget: 'notifications',
      listNotificationDeliveries: 'notifications',
      replayNotificationDelivery: 'notifications',
      listStreams: 'streams',
      createStream: 'streams',
      getStream: 'streams',
      patchStream: 'streams',
      removeStream: 'streams',
      testStream: 'streams',
      requestApproval: 'approvals',
      listApprovals: 'approvals.read',
      getApproval: 'approvals.read',
      approveRequest: 'approvals',
      declineRequest: 'approvals',
      withdrawRequest: 'approvals',
      listDeadLetters: 'deadletters',
      replayDeadLetter: 'deadletters',
      getRetentionForecast: 'settings.manage',
    }),
  ).toEqual([]);
});
