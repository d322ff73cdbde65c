import { actorOf } from '@answer-evidence/access';
import { NOTIFICATION_TARGETS_MAX, ServiceError } from '@answer-evidence/contracts';
import { createMailTarget } from '@answer-evidence/contracts/operations';
import { MICROS_PER_DAY } from '@answer-evidence/encoding';
import { newId } from '@answer-evidence/ports';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import { changeTarget, getStoredTarget } from '../../notifications/change-target.ts';
import { newCode, sendCode } from '../../notifications/confirm-address.ts';
import type { NotificationDeps } from '../../notifications/deps.ts';
import { toTargetResource } from '../../notifications/to-resources.ts';

/** `POST /api/notifications/mail-targets`: sends a code there, and nothing else before somebody enters it. */
export function createMailTargetRoute(deps: NotificationDeps): Route {
  return defineRoute({
    ...createMailTarget,
    async handle({ body, caller: sentBy }) {
      const { mailer, notifications, clock } = deps;
      const caller = authenticated(sentBy);
      if (mailer === undefined)
        throw refused('must be left out: there is no mail server; ask the operator to set SERVICE_SMTP_URL');
      if (actorOf(caller).kind !== 'user') throw refused('must be added by a member');
      const workspace = await deps.directory.get(caller.workspaceId);
      // So many codes a day, whatever was removed since: nobody writes to strangers by this service.
      const since = clock.nowMicros() - MICROS_PER_DAY;
      if ((await notifications.mailTargetsSince(workspace.id, since)) >= NOTIFICATION_TARGETS_MAX)
        throw new ServiceError(
          'limit_reached',
          `at most ${NOTIFICATION_TARGETS_MAX} codes are sent for a workspace within a day; try again tomorrow`,
        );
      const targetId = newId(deps);
      const { code, pending } = newCode(deps);
      await changeTarget(deps, workspace, caller, { kind: 'mail_created', targetId, body, code: pending });
      const stored = await getStoredTarget(deps, workspace.id, targetId);
      const outcome = await sendCode(deps, mailer, workspace, { row: stored.row, language: body.language, code });
      if (outcome.kind !== 'sent') {
        await changeTarget(deps, workspace, caller, { kind: 'removed', targetId });
        if (outcome.kind === 'refused') throw refused('must be one that the mail server does not refuse');
        throw new ServiceError('mail_unavailable', 'the mail server does not take the code; retry the same request', {
          remedy: 'retry',
        });
      }
      return {
        status: 201,
        headers: { Location: `/api/notifications/targets/${targetId}` },
        body: toTargetResource(workspace, stored, clock.nowMicros()),
      };
    },
  });
}

function refused(detail: string): ServiceError {
  return new ServiceError('schema_violation', 'the request is invalid', {
    errors: [{ pointer: '/address', detail }],
  });
}
