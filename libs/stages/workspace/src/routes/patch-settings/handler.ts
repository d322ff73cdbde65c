import { actorOf } from '@answer-evidence/access';
import { patchTenantSettings } from '@answer-evidence/contracts/operations';
import { guardCommand } from '@answer-evidence/ledger';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { prepareSettingsChange } from '../../settings/prepare-settings-change.ts';
import { replyWithSettings } from '../../settings/reply-with-settings.ts';

/** `PATCH /api/tenant/settings`: changes the settings for what is recorded from here on. */
export function patchSettingsRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...patchTenantSettings,
    async handle(request) {
      const manager = authenticated(request.caller);
      const workspace = await deps.directory.get(manager.workspaceId);
      const wanted = { patch: request.body, ifMatch: request.header('if-match') };
      const actor = actorOf(manager);
      const outcome = await deps.ledger.append(workspace.id, async (current) =>
        guardCommand(await prepareSettingsChange(deps, workspace, current, wanted, actor), actor, 'settings.manage'),
      );
      const changed = outcome.kind === 'appended' ? outcome.entries.at(-1) : undefined;
      const { after } = outcome.command;
      return replyWithSettings({ ...after, updatedAt: changed?.at ?? after.updatedAt });
    },
  });
}
