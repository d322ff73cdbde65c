import { ServiceError } from '@answer-evidence/contracts';
import type { ApprovableAct, Workspace } from '@answer-evidence/ports';
import { createHashKeys } from '@answer-evidence/preparation';
import type { IngestDeps } from '../deps.ts';
import { parseEventPayload } from './event-payload.ts';
import { prepareEvent } from './prepare-event.ts';

/** Voids and redactions that somebody asked for. They fit while the record has the events that it had then. */
export function createEventAct(
  deps: Pick<IngestDeps, 'administration' | 'records' | 'evidence' | 'evidenceErasures' | 'holds' | 'clock' | 'random'>,
): ApprovableAct {
  const hashKeys = createHashKeys(deps.administration);
  async function find(workspace: Workspace, recordId: string) {
    const stored = await deps.records.find(workspace.id, recordId);
    if (stored !== undefined) return stored;
    throw new ServiceError('not_found', 'no such record exists in this workspace; check its id');
  }
  return {
    async pin(workspace, { event }) {
      if (event === undefined) throw new TypeError('an event is asked for');
      const { answer_log_id: recordId, ...request } = event;
      parseEventPayload(request);
      const { events } = await find(workspace, recordId);
      return { event: { ...event, version: request.version ?? events.length } };
    },
    async prepare({ workspace, settings, request: { event }, requester, second }) {
      if (event === undefined) throw new TypeError('an event is asked for');
      const { answer_log_id: recordId, ...request } = event;
      const stored = await find(workspace, recordId);
      const payload = parseEventPayload(request);
      // Those who ask for it and approve it are managers, who see matters.
      const submission = {
        ...{ request, payload, idempotencyKey: null, actor: requester, second },
        holds: 'named' as const,
      };
      return prepareEvent({ ...deps, hashKeys }, workspace, settings, stored, submission);
    },
  };
}
