import { testStream } from '@answer-evidence/contracts/operations';
import { newId } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { getStoredStream } from '../../streams/change-stream.ts';
import type { StreamDeps } from '../../streams/deps.ts';
import { DESTINATION_DAMAGED, openOrUndefined } from '../../streams/seal-destination.ts';
import { sendBatch } from '../../streams/send-batch.ts';
import { testEvent } from '../../streams/to-event.ts';
import { toOcsf } from '../../streams/to-ocsf.ts';

/** `POST /api/streams/{stream_id}/test`: also of a disabled stream, and whatever it waits for. */
export function testStreamRoute(deps: StreamDeps): Route {
  return defineRoute({
    ...testStream,
    async handle({ params, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const { row } = await getStoredStream(deps, workspace.id, params.stream_id);
      const destination = openOrUndefined(workspace, row);
      if (destination === undefined) return { status: 200, body: { confirmed: false, error: DESTINATION_DAMAGED } };
      const nowMicros = deps.clock.nowMicros();
      const event = testEvent(workspace, newId(deps), nowMicros);
      const json = JSON.stringify(row.format === 'ocsf' ? toOcsf(event, nowMicros) : event);
      const error = await sendBatch(deps, destination, {
        streamId: row.id,
        events: [{ event, json }],
        hostName: deps.hostName,
        nowMicros,
      });
      return { status: 200, body: { confirmed: error === undefined, error: error ?? null } };
    },
  });
}
