import { getTenantSettings } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { replyWithSettings } from '../../settings/reply-with-settings.ts';

/** `GET /api/tenant/settings`: the settings in force. */
export function getSettingsRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...getTenantSettings,
    async handle({ caller }) {
      return replyWithSettings(await deps.readFreshSettings(caller.workspaceId));
    },
  });
}
