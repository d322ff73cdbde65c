import { patchStream } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { assertReachable, changeStream, getStoredStream } from '../../streams/change-stream.ts';
import type { StreamDeps } from '../../streams/deps.ts';
import { changedMembers } from '../../streams/prepare-stream-change.ts';
import { toStreamResource } from '../../streams/to-stream-resource.ts';

/** `PATCH /api/streams/{stream_id}`: what changes nothing appends nothing. */
export function patchStreamRoute(deps: StreamDeps): Route {
  return defineRoute({
    ...patchStream,
    async handle({ params, body, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      assertReachable(deps, body.destination);
      const streamId = params.stream_id;
      let stored = await getStoredStream(deps, workspace.id, streamId);
      if (changedMembers(workspace, stored, body).length > 0) {
        await changeStream(deps, workspace, caller, { kind: 'changed', streamId, body });
        stored = await getStoredStream(deps, workspace.id, streamId);
      }
      return { status: 200, body: toStreamResource(stored, deps.clock.nowMicros()) };
    },
  });
}
