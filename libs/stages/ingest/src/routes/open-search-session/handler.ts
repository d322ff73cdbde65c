import { actorOf } from '@answer-evidence/access';
import type { SearchSession } from '@answer-evidence/contracts';
import { openSearchSession } from '@answer-evidence/contracts/operations';
import { formatTimestamp } from '@answer-evidence/encoding';
import { createSearchCommand, guardCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { sessionEndsAt } from '../../search/search-session.ts';

/** `POST /api/search/sessions`: an entry that says why somebody searches texts; with its id they do, for a while. */
export function openSearchSessionRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...openSearchSession,
    async handle({ body, caller }) {
      const core = { ...newCoreIdentity(deps), ...body, actor: actorOf(caller) };
      const outcome = await deps.ledger.append(caller.workspaceId, () =>
        guardCommand(createSearchCommand(caller.workspaceId, core), core.actor, 'texts.read'),
      );
      if (outcome.kind !== 'appended') throw new Error('an entry without a key is no replay');
      const endsAt = sessionEndsAt(outcome.entries[0].at);
      return { status: 201, body: { id: core.id, expires_at: formatTimestamp(endsAt) } satisfies SearchSession };
    },
  });
}
