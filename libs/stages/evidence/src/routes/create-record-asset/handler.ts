import { registerRecordEvidence, uploadRecordEvidence } from '@answer-evidence/contracts/operations';
import { defineRoute, idempotencyKeyOf, type Route, type RouteReply, type RouteRequest } from '@answer-evidence/routes';
import type { EvidenceDeps } from '../../deps.ts';
import { findOwnRecord } from '../../find-own.ts';
import { registerAsset } from '../../prepare/register-asset.ts';
import { replyWithAsset } from '../create-asset/reply.ts';
import { digestJson, fromForm, fromJson, type SubmittedSource } from '../create-asset/submission.ts';

const OPERATIONS = { upload: uploadRecordEvidence, register: registerRecordEvidence } as const;

/** `POST …/{answer_log_id}/evidence-assets/upload` and `…/register`: an asset beside a record, linked, not bound. */
export function createRecordAssetRoute(deps: EvidenceDeps, last: keyof typeof OPERATIONS): Route {
  async function create(
    request: RouteRequest<{ readonly answer_log_id: string }, unknown, unknown>,
    readSource: () => SubmittedSource,
  ): Promise<RouteReply> {
    const { caller } = request;
    const workspace = await deps.directory.get(caller.workspaceId);
    const { record } = await findOwnRecord(deps, caller, request.params.answer_log_id);
    const made = await registerAsset(deps, workspace, caller, {
      ...readSource(),
      idempotencyKey: idempotencyKeyOf(undefined, request.header('idempotency-key')),
      record: { id: record.id, applicationKey: record.application_key },
    });
    return replyWithAsset(deps, workspace, made);
  }
  return defineRoute({
    ...OPERATIONS[last],
    digest: digestJson,
    handleForm: (request, file) => create(request, () => fromForm(request.body, file)),
    handle: (request) => create(request, () => fromJson(request.body)),
  });
}
