import { type PutOwnNotificationsRequest, ServiceError } from '@answer-evidence/contracts';
import { putOwnNotifications } from '@answer-evidence/contracts/operations';
import { MICROS_PER_DAY } from '@answer-evidence/encoding';
import { newId, type StoredTarget, type Workspace } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { changeTarget } from '../../notifications/change-target.ts';
import { sendNewCode } from '../../notifications/confirm-address.ts';
import type { NotificationDeps } from '../../notifications/deps.ts';
import {
  assertTypes,
  findOwn,
  getMember,
  getOwn,
  memberIdOf,
  OWN_CODES_MAX,
  toOwnResource,
} from '../../notifications/own-notifications.ts';
import { areTermsOf } from '../../notifications/prepare-target-change.ts';
import { openTarget } from '../../notifications/target-secrets.ts';

/** `PUT /api/notifications/mine`: the address is confirmed by a code; the rest is changed at once. */
export function putOwnNotificationsRoute(deps: NotificationDeps): Route {
  return defineRoute({
    ...putOwnNotifications,
    async handle({ body, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const memberId = memberIdOf(caller);
      const member = await getMember(deps, workspace.id, memberId);
      assertTypes(member, body);
      const found = await findOwn(deps, workspace.id, memberId);
      if (found === undefined) {
        await assertCodesLeft(deps, workspace, memberId);
        const own = { memberId, username: member.row.username };
        await sendNewCode(deps, workspace, caller, { targetId: newId(deps), body, own });
      } else {
        assertSameAddress(workspace, found, body);
        if (!areTermsOf(found.row, body))
          await changeTarget(deps, workspace, caller, { kind: 'own_changed', targetId: found.row.id, body });
      }
      return { status: 200, body: toOwnResource(workspace, await getOwn(deps, workspace.id, memberId)) };
    },
  });
}

async function assertCodesLeft(deps: NotificationDeps, workspace: Workspace, memberId: string): Promise<void> {
  const since = deps.clock.nowMicros() - MICROS_PER_DAY;
  if ((await deps.notifications.mailTargetsSince(workspace.id, memberId, since)) >= OWN_CODES_MAX)
    throw new ServiceError(
      'limit_reached',
      `at most ${OWN_CODES_MAX} codes are sent for a member within a day; try again tomorrow`,
    );
}

function assertSameAddress(workspace: Workspace, { row }: StoredTarget, { address }: PutOwnNotificationsRequest): void {
  if (openTarget(workspace, row).url === `mailto:${address}`) return;
  throw new ServiceError('schema_violation', 'the request is invalid', {
    errors: [{ pointer: '/address', detail: 'must be the address that is set; remove it first to use another' }],
  });
}
