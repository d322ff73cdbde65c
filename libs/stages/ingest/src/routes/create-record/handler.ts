import { actorOf, assertApplication, isAllowed } from '@answer-evidence/access';
import { ENVIRONMENT_DEFAULT, ServiceError } from '@answer-evidence/contracts';
import { createAnswerRecord } from '@answer-evidence/contracts/operations';
import { canonicalize } from '@answer-evidence/encoding';
import { guardCommand } from '@answer-evidence/ledger';
import {
  commitmentKey,
  createHashKeys,
  digestRecord,
  prepareRecord,
  type RecordSubmission,
} from '@answer-evidence/preparation';
import {
  defineRoute,
  idempotencyKeyOf,
  openTextDoor,
  type Route,
  type RouteReply,
  textHeadersOf,
} from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { toRecordWithReceipt } from '../../resources/load-record.ts';
import { createQuotedReceipts } from '../../resources/receipts.ts';
import { serializeCreated } from '../../resources/serialize-created.ts';

const PATH = '/api/answer-audit-logs';

/** `POST /api/answer-audit-logs`: one answer, one record. */
export function createRecordRoute(deps: IngestDeps): Route {
  const hashKeys = createHashKeys(deps.administration);
  const quotedReceipts = createQuotedReceipts();
  return defineRoute({
    ...createAnswerRecord,
    digest: digestRecord,
    async handle(request): Promise<RouteReply> {
      const { body, caller } = request;
      const { application_key, environment = ENVIRONMENT_DEFAULT } = body.request;
      assertApplication(caller, { application_key, environment });
      if ('refusal' in body) throw new ServiceError(body.refusal.code, body.refusal.message, body.refusal);
      const submission: RecordSubmission = {
        ...body,
        idempotencyKey: idempotencyKeyOf(body.request.idempotency_key, request.header('idempotency-key')),
        actorJson: canonicalize(actorOf(caller)),
      };
      const workspace = await deps.directory.get(caller.workspaceId);
      const outcome = await deps.ledger.append(workspace.id, async (settings) => {
        const key = await commitmentKey(hashKeys, workspace, settings);
        const command = prepareRecord(deps, workspace, settings, key, submission);
        return guardCommand(command, actorOf(caller), 'records.create', { application_key, environment });
      });
      if (outcome.kind === 'appended') {
        const [entry] = outcome.entries;
        const receipt = quotedReceipts(entry, outcome.checkpoint);
        const { command } = outcome;
        return {
          status: 201,
          headers: { Location: pathOf(command.record.row.id) },
          body: serializeCreated(workspace, command, submission.fields, entry, receipt),
        };
      }
      const stored = await deps.records.find(workspace.id, outcome.objectId);
      if (stored === undefined) throw new Error('a replayed record is stored');
      // The caller may have sent hashes, and is given the texts that another one sent.
      const door = await openTextDoor(deps, { request, caller, operation: createAnswerRecord }, stored, {});
      const record = await toRecordWithReceipt(deps, workspace, stored, door);
      const { events, ...withoutEvents } = record;
      return {
        status: 201,
        headers: { Location: pathOf(record.id), 'Idempotency-Replayed': 'true', ...textHeadersOf(door) },
        body: isAllowed(caller, 'records.read') ? { ...withoutEvents, events } : withoutEvents,
      };
    },
  });
}

function pathOf(recordId: string): string {
  return `${PATH}/${recordId}`;
}
