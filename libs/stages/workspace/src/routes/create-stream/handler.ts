import { createStream } from '@answer-evidence/contracts/operations';
import { newId } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { assertReachable, changeStream, getStoredStream } from '../../streams/change-stream.ts';
import type { StreamDeps } from '../../streams/deps.ts';
import { toStreamResource } from '../../streams/to-stream-resource.ts';

/** `POST /api/streams`: from its first entry on, each is sent. */
export function createStreamRoute(deps: StreamDeps): Route {
  return defineRoute({
    ...createStream,
    async handle({ body, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      assertReachable(deps, body.destination);
      const streamId = newId(deps);
      await changeStream(deps, workspace, caller, { kind: 'created', streamId, body });
      const stored = await getStoredStream(deps, workspace.id, streamId);
      return {
        status: 201,
        headers: { Location: `/api/streams/${streamId}` },
        body: toStreamResource(stored, deps.clock.nowMicros()),
      };
    },
  });
}
