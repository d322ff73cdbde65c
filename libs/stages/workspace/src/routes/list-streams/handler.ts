import { listStreams } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { StreamDeps } from '../../streams/deps.ts';
import { toStreamResource } from '../../streams/to-stream-resource.ts';

/** `GET /api/streams`: where the entries of the log are sent. */
export function listStreamsRoute(deps: StreamDeps): Route {
  return defineRoute({
    ...listStreams,
    async handle({ caller }) {
      const { streams } = await deps.streams.streams(caller.workspaceId);
      const now = deps.clock.nowMicros();
      return { status: 200, body: { items: streams.map((one) => toStreamResource(one, now)) } };
    },
  });
}
