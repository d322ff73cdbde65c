import { actorOf, assertAllowed, boundsOf, isAllowed } from '@answer-evidence/access';
import { ALONE, type ApprovalAct, type EventType } from '@answer-evidence/contracts';
import { appendLifecycleEvent } from '@answer-evidence/contracts/operations';
import { guardCommand, needsSecond, ownActCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { createHashKeys } from '@answer-evidence/preparation';
import { defineRoute, idempotencyKeyOf, openTextDoor, type Route, textHeadersOf } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { parseEventPayload } from '../../prepare/event-payload.ts';
import { prepareEvent } from '../../prepare/prepare-event.ts';
import { findOwnRecord, toRecordWithReceipt } from '../../resources/load-record.ts';

/** The events that a workspace can demand a second person for. */
const ACTS: Readonly<Partial<Record<EventType, ApprovalAct>>> = { voided: 'void', redacted: 'redaction' };

/** `POST /api/answer-audit-logs/{answer_log_id}/events`: corrections, voids, redactions, retention actions. */
export function appendEventRoute(deps: IngestDeps): Route {
  const hashKeys = createHashKeys(deps.administration);
  return defineRoute({
    ...appendLifecycleEvent,
    async handle(request) {
      const { params, body, caller } = request;
      const right = body.event_type === 'correction_appended' ? 'events.append' : 'events.manage';
      assertAllowed(caller, right);
      const workspace = await deps.directory.get(caller.workspaceId);
      const submission = {
        request: body,
        payload: parseEventPayload(body),
        idempotencyKey: idempotencyKeyOf(undefined, request.header('idempotency-key')),
        actor: actorOf(caller),
        holds: isAllowed(caller, 'holds.read') && boundsOf(caller) === undefined ? 'named' : 'unnamed',
      } as const;
      const outcome = await deps.ledger.append(workspace.id, async (settings) => {
        // Read again each time: a redaction is prepared for the events that are there now.
        const stored = await findOwnRecord(deps, caller, params.answer_log_id);
        const act = ACTS[body.event_type];
        // Done by one person it can only be that nobody else could approve it, which is decided under the lock.
        const isDemanded = act !== undefined && needsSecond(settings.values.answer_audit_two_people, act);
        const prepared = { ...submission, second: isDemanded ? ALONE : null };
        const command = await prepareEvent({ ...deps, hashKeys }, workspace, settings, stored, prepared);
        if (act === undefined) return guardCommand(command, submission.actor, right, stored.record);
        return ownActCommand(command, {
          act,
          workspaceId: workspace.id,
          settings,
          requester: submission.actor,
          of: stored.record,
          identity: newCoreIdentity(deps),
        });
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
