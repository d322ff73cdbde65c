import { actorOf, assertAllowed } from '@answer-evidence/access';
import { appendLifecycleEvent } from '@answer-evidence/contracts/operations';
import { guardCommand } from '@answer-evidence/ledger';
import { createHashKeys } from '@answer-evidence/preparation';
import {
  authenticated,
  defineRoute,
  idempotencyKeyOf,
  openTextDoor,
  type Route,
  textHeadersOf,
} from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { parseEventPayload } from '../../prepare/event-payload.ts';
import { prepareEvent } from '../../prepare/prepare-event.ts';
import { findOwnRecord, toRecordWithReceipt } from '../../resources/load-record.ts';

/** `POST /api/answer-audit-logs/{answer_log_id}/events`: corrections, voids, redactions, retention actions. */
export function appendEventRoute(deps: IngestDeps): Route {
  const hashKeys = createHashKeys(deps.administration);
  return defineRoute({
    ...appendLifecycleEvent,
    async handle(request) {
      const { params, body } = request;
      const caller = authenticated(request.caller);
      const right = body.event_type === 'correction_appended' ? 'events.append' : 'events.manage';
      assertAllowed(caller, right);
      const workspace = await deps.directory.get(caller.workspaceId);
      const submission = {
        request: body,
        payload: parseEventPayload(body),
        idempotencyKey: idempotencyKeyOf(undefined, request.header('idempotency-key')),
        actor: actorOf(caller),
      };
      const outcome = await deps.ledger.append(workspace.id, async (settings) => {
        // Read again each time: a redaction is prepared for the events that are there now.
        const stored = await findOwnRecord(deps, caller, params.answer_log_id);
        const command = await prepareEvent({ ...deps, hashKeys }, workspace, settings, stored, submission);
        return guardCommand(command, submission.actor, right, stored.record);
      });
      const updated = await findOwnRecord(deps, caller, params.answer_log_id);
      const eventId = outcome.kind === 'replayed' ? outcome.objectId : outcome.entries[0]?.id;
      const reading = { request, caller, operation: appendLifecycleEvent };
      const door = await openTextDoor(deps, reading, updated, { eventId });
      return {
        status: 200,
        headers: {
          ...(outcome.kind === 'replayed' ? { 'Idempotency-Replayed': 'true' } : {}),
          ...textHeadersOf(door),
        },
        body: await toRecordWithReceipt(deps, workspace, updated, door),
      };
    },
  });
}
