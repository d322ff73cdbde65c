import { getStream } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { getStoredStream } from '../../streams/change-stream.ts';
import type { StreamDeps } from '../../streams/deps.ts';
import { toStreamResource } from '../../streams/to-stream-resource.ts';

/** `GET /api/streams/{stream_id}`: how far it is. */
export function getStreamRoute(deps: StreamDeps): Route {
  return defineRoute({
    ...getStream,
    async handle({ params, caller }) {
      const stored = await getStoredStream(deps, caller.workspaceId, params.stream_id);
      return { status: 200, body: toStreamResource(stored, deps.clock.nowMicros()) };
    },
  });
}
