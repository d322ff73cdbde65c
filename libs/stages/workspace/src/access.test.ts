import { expect, it } from '@jest/globals';
import { createFakeWorkspace, findWrongAccess } from '@answer-evidence/testing';
import type { NotificationDeps } from './notifications/deps.ts';
import { createNotificationParts } from './notifications/parts.ts';
import { describeHostRoute } from './routes/describe-host/handler.ts';
import { createWorkspaceStage } from './stage.ts';
import type { StreamDeps } from './streams/deps.ts';
import { createStreamParts } from './streams/parts.ts';

it('every route takes the callers whom its right admits, and refuses all others before its handler runs', async () => {
  const routes = [
    ...createWorkspaceStage(createFakeWorkspace()).routes,
    // Callers who are refused reach none of what it uses.
    ...createNotificationParts({} as NotificationDeps).routes,
    ...createStreamParts({} as StreamDeps).routes,
    describeHostRoute({}),
  ];
  expect(await findWrongAccess(routes)).toEqual([]);
});
