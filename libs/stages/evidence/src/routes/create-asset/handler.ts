import type { Caller } from '@answer-evidence/access';
import { authenticated, defineRoute, idempotencyKeyOf, type Route } from '@answer-evidence/routes';
import type { EvidenceDeps } from '../../deps.ts';
import { registerAsset } from '../../prepare/register-asset.ts';
import { CREATE_BODY, CREATE_FORM, CREATE_RESPONSES } from './describe.ts';
import { replyWithAsset } from './reply.ts';
import { fromForm, fromJson, type SubmittedSource } from './submission.ts';

/** `POST /api/evidence-assets`: a file, passages, or a reference to something that lies elsewhere. */
export function createAssetRoute(deps: EvidenceDeps): Route {
  async function create(caller: Caller, key: string | undefined, source: SubmittedSource) {
    const workspace = await deps.directory.get(caller.workspaceId);
    const idempotencyKey = idempotencyKeyOf(undefined, key);
    const made = await registerAsset(deps, workspace, caller, { ...source, idempotencyKey, record: null });
    return replyWithAsset(deps, workspace, made);
  }
  return defineRoute({
    method: 'POST',
    path: '/api/evidence-assets',
    operationId: 'createEvidenceAsset',
    summary: 'Upload a piece of evidence',
    access: 'evidence.create',
    ...CREATE_BODY,
    form: CREATE_FORM,
    handleForm: (request, file) =>
      create(authenticated(request.caller), request.header('idempotency-key'), fromForm(request.body, file)),
    responses: CREATE_RESPONSES,
    handle: (request) =>
      // In a promise, so that a refusal of the body is one as well.
      Promise.resolve().then(() =>
        create(authenticated(request.caller), request.header('idempotency-key'), fromJson(request.body)),
      ),
  });
}
