import { ServiceError } from '@answer-evidence/contracts';
import { replayDeadLetter } from '@answer-evidence/contracts/operations';
import { formatTimestamp } from '@answer-evidence/encoding';
import { assertStillAllowed, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';

/** `POST /api/dead-letters/{dead_letter_id}/replay`: tries a job again. Starts nothing until it has failed anew. */
export function replayDeadLetterRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...replayDeadLetter,
    async handle({ params, caller }) {
      const { workspaceId } = caller;
      await assertStillAllowed(deps, caller, 'deadletters');
      const row = await deps.deadLetters.replay(workspaceId, params.dead_letter_id);
      if (row === undefined || row.replayed_at === null)
        throw new ServiceError('not_found', 'no such dead letter exists in this workspace; check its id');
      return { status: 202, body: { id: row.id, topic: row.topic, replayed_at: formatTimestamp(row.replayed_at) } };
    },
  });
}
