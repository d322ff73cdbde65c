import { expect, it } from '@jest/globals';
import { createFakeWorkspace, findWrongAccess } from '@answer-evidence/testing';
import type { NotificationDeps } from './notifications/deps.ts';
import { createNotificationParts } from './notifications/parts.ts';
import { describeHostRoute } from './routes/describe-host/handler.ts';
import { createWorkspaceStage } from './stage.ts';

it('every route takes the callers of its row, and refuses all others before its handler runs', async () => {
  const routes = [
    ...createWorkspaceStage(createFakeWorkspace()).routes,
    // Callers who are refused reach none of what it uses.
    ...createNotificationParts({} as NotificationDeps).routes,
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
      getIdentity: { application: 'any', user: 'member' },
      getOverview: { application: null, user: 'member' },
      logout: { application: null, user: 'member' },
      createToken: { application: null, user: 'member' },
      getToken: { application: null, user: 'member' },
      listTokens: { application: null, user: 'member' },
      revokeToken: { application: null, user: 'member' },
      rotateToken: { application: null, user: 'member' },
      getTenantSettings: { application: null, user: 'manager' },
      patchTenantSettings: { application: null, user: 'manager' },
      getRetentionForecast: { application: null, user: 'manager' },
      listWorkspaceEntries: { application: null, user: 'manager' },
      getWorkspaceEntry: { application: null, user: 'manager' },
      listReadings: { application: null, user: 'manager' },
      createHashKey: { application: null, user: 'manager' },
      listHashKeys: { application: null, user: 'manager' },
      hashId: { application: null, user: 'manager' },
      listMembers: { application: null, user: 'manager' },
      getMember: { application: null, user: 'manager' },
      createMember: { application: null, user: 'manager' },
      patchMember: { application: null, user: 'manager' },
      removeMember: { application: null, user: 'manager' },
      listNotificationTargets: { application: null, user: 'manager' },
      createNotificationTarget: { application: null, user: 'manager' },
      getNotificationTarget: { application: null, user: 'manager' },
      patchNotificationTarget: { application: null, user: 'manager' },
      removeNotificationTarget: { application: null, user: 'manager' },
      rotateNotificationSecret: { application: null, user: 'manager' },
      testNotificationTarget: { application: null, user: 'manager' },
      listNotificationDeliveries: { application: null, user: 'manager' },
      replayNotificationDelivery: { application: null, user: 'manager' },
      listDeadLetters: { application: null, user: 'manager' },
      replayDeadLetter: { application: null, user: 'manager' },
    }),
  ).toEqual([]);
});
