import { removeStream } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { changeStream } from '../../streams/change-stream.ts';
import type { StreamDeps } from '../../streams/deps.ts';

/** `DELETE /api/streams/{stream_id}`: what its destination is reached with goes with it. */
export function removeStreamRoute(deps: StreamDeps): Route {
  return defineRoute({
    ...removeStream,
    async handle({ params, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      await changeStream(deps, workspace, caller, { kind: 'removed', streamId: params.stream_id });
      return { status: 204 };
    },
  });
}
