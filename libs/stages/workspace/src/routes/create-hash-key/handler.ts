import { actorOf } from '@answer-evidence/access';
import type { HashKey } from '@answer-evidence/contracts';
import { createHashKey } from '@answer-evidence/contracts/operations';
import { formatTimestamp } from '@answer-evidence/encoding';
import { guardCommand } from '@answer-evidence/ledger';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { makeHashKey } from '../../hash-keys/make-hash-key.ts';
import { prepareKeyActivation } from '../../settings/prepare-settings-change.ts';

/** `POST /api/tenant/hash-keys`: makes a hash key and activates it; whether keyed hashing is on stays as it is. */
export function createHashKeyRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...createHashKey,
    async handle({ caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const made = makeHashKey(deps, workspace, actorOf(caller));
      const outcome = await deps.ledger.append(workspace.id, async (current) =>
        guardCommand(
          await prepareKeyActivation(deps, workspace, current, current.values, made, actorOf(caller)),
          actorOf(caller),
          'hash_keys.manage',
        ),
      );
      const [entry] = outcome.kind === 'appended' ? outcome.entries : [];
      if (entry === undefined) throw new Error('making a hash key appends its entry');
      const body: HashKey = { id: made.keyId, active: true, created_at: formatTimestamp(entry.at) };
      return { status: 201, body };
    },
  });
}
