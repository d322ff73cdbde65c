import { type Actor, type CreateEventRequest, ServiceError } from '@answer-evidence/contracts';
import type { OutsideRedaction, Workspace } from '@answer-evidence/ports';
import { createHashKeys } from '@answer-evidence/preparation';
import type { IngestDeps } from '../deps.ts';
import { parseEventPayload } from './event-payload.ts';
import { prepareEvent } from './prepare-event.ts';

const RECOVERY: Actor = { kind: 'service', id: 'recovery', token_id: null };

/** Redacts again what a restored database lost, once per redaction; `lost`: the record itself is missing. */
export async function reapplyRedaction(
  deps: Pick<
    IngestDeps,
    'ledger' | 'records' | 'evidence' | 'evidenceErasures' | 'holds' | 'logs' | 'administration' | 'clock' | 'random'
  >,
  workspace: Workspace,
  { recordId, eventId, payload }: OutsideRedaction,
): Promise<'there' | 'applied' | 'lost'> {
  if ((await deps.logs.findLeaf(workspace.id, recordId, eventId)) !== undefined) return 'there';
  if ((await deps.records.find(workspace.id, recordId)) === undefined) return 'lost';
  // The texts of all events that are there go in any case, and the database may have lost some that were named.
  const { redact_event_ids: _named, ...named } = payload;
  const request: CreateEventRequest = { event_type: 'redacted', payload: named };
  const submission = {
    request,
    payload: parseEventPayload(request),
    idempotencyKey: `recovered:${eventId}`,
    actor: RECOVERY,
    // It was made when no hold covered the record, and the restored log may have lost a release.
    holds: 'ignored' as const,
  };
  const hashKeys = createHashKeys(deps.administration);
  await deps.ledger.append(workspace.id, async (settings) => {
    const stored = await deps.records.find(workspace.id, recordId);
    if (stored === undefined)
      throw new ServiceError('not_found', 'no such record exists in this workspace; check its id');
    return prepareEvent({ ...deps, hashKeys }, workspace, settings, stored, submission);
  });
  return 'applied';
}
