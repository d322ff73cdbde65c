import { tenantSettings } from '@answer-evidence/contracts';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { replyWithSettings } from '../../settings/reply-with-settings.ts';

/** `GET /api/tenant/settings`: the settings in force. */
export function getSettingsRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/tenant/settings',
    operationId: 'getTenantSettings',
    summary: 'Read the settings',
    access: 'settings.manage',
    responses: {
      200: {
        description: 'The settings',
        schema: tenantSettings,
        headers: { ETag: 'Version of the policy, for If-Match' },
      },
    },
    async handle({ caller }) {
      return replyWithSettings(await deps.readFreshSettings(authenticated(caller).workspaceId));
    },
  });
}
