import type { Stage } from '@answer-evidence/routes';
import { confirmOwnNotificationsRoute } from '../routes/confirm-own-notifications/handler.ts';
import { confirmTargetRoute } from '../routes/confirm-target/handler.ts';
import { createMailTargetRoute } from '../routes/create-mail-target/handler.ts';
import { createTargetRoute } from '../routes/create-target/handler.ts';
import { getOwnNotificationsRoute } from '../routes/get-own-notifications/handler.ts';
import { getTargetRoute } from '../routes/get-target/handler.ts';
import { listDeliveriesRoute } from '../routes/list-deliveries/handler.ts';
import { listTargetsRoute } from '../routes/list-targets/handler.ts';
import { patchTargetRoute } from '../routes/patch-target/handler.ts';
import { putOwnNotificationsRoute } from '../routes/put-own-notifications/handler.ts';
import { removeOwnNotificationsRoute } from '../routes/remove-own-notifications/handler.ts';
import { removeTargetRoute } from '../routes/remove-target/handler.ts';
import { replayDeliveryRoute } from '../routes/replay-delivery/handler.ts';
import { rotateTargetRoute } from '../routes/rotate-target/handler.ts';
import { testTargetRoute } from '../routes/test-target/handler.ts';
import { deliverConsumer } from './deliver.ts';
import type { NotificationDeps } from './deps.ts';
import { followLogsTicker, lookAtConditionsTicker, tellStoppedLogsTicker } from './tickers.ts';

/** The part of the stage that tells people outside: targets, and what goes there. */
export function createNotificationParts(deps: NotificationDeps): Pick<Stage, 'routes' | 'tickers' | 'consumers'> {
  return {
    routes: [
      listTargetsRoute(deps),
      createTargetRoute(deps),
      createMailTargetRoute(deps),
      confirmTargetRoute(deps),
      getTargetRoute(deps),
      patchTargetRoute(deps),
      removeTargetRoute(deps),
      rotateTargetRoute(deps),
      testTargetRoute(deps),
      listDeliveriesRoute(deps),
      replayDeliveryRoute(deps),
      getOwnNotificationsRoute(deps),
      putOwnNotificationsRoute(deps),
      confirmOwnNotificationsRoute(deps),
      removeOwnNotificationsRoute(deps),
    ],
    tickers: [followLogsTicker(deps), lookAtConditionsTicker(deps), tellStoppedLogsTicker(deps)],
    consumers: [deliverConsumer(deps)],
  };
}
