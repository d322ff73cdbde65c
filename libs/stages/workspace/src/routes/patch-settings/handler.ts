import { actorOf } from '@answer-evidence/access';
import type { PatchSettingsRequest } from '@answer-evidence/contracts';
import { patchTenantSettings } from '@answer-evidence/contracts/operations';
import { type AppendedEntry, ownActCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { prepareSettingsChange } from '../../settings/prepare-settings-change.ts';
import { replyWithSettings } from '../../settings/reply-with-settings.ts';

const isAboutTwoPeople = ({ answer_audit_two_people: policy }: PatchSettingsRequest) => policy !== undefined;
const isOfSettings = ({ type }: AppendedEntry) => type === 'settings_changed';

/** `PATCH /api/tenant/settings`: changes the settings for what is recorded from here on. */
export function patchSettingsRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...patchTenantSettings,
    async handle(request) {
      const { caller } = request;
      const workspace = await deps.directory.get(caller.workspaceId);
      const wanted = { patch: request.body, ifMatch: request.header('if-match') };
      const actor = actorOf(caller);
      const outcome = await deps.ledger.append(workspace.id, async (current) => {
        const command = await prepareSettingsChange(deps, workspace, current, wanted, actor);
        return ownActCommand(command, {
          act: 'settings',
          // Who may change alone which acts need two could change it for all of them.
          isDemanded: isAboutTwoPeople(request.body) && current.values.answer_audit_two_people.acts.length > 0,
          workspaceId: workspace.id,
          settings: current,
          requester: actor,
          identity: newCoreIdentity(deps),
        });
      });
      const changed = outcome.kind === 'appended' ? outcome.entries.find(isOfSettings) : undefined;
      const { after } = outcome.command;
      return replyWithSettings({ ...after, updatedAt: changed?.at ?? after.updatedAt });
    },
  });
}
