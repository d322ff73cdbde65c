import type { Caller } from '@answer-evidence/access';
import { createEvidenceAsset } from '@answer-evidence/contracts/operations';
import { defineRoute, idempotencyKeyOf, type Route } from '@answer-evidence/routes';
import type { EvidenceDeps } from '../../deps.ts';
import { registerAsset } from '../../prepare/register-asset.ts';
import { replyWithAsset } from './reply.ts';
import { digestJson, fromForm, fromJson, type SubmittedSource } from './submission.ts';

/** `POST /api/evidence-assets`: a file, passages, or a reference to something that lies elsewhere. */
export function createAssetRoute(deps: EvidenceDeps): Route {
  async function create(caller: Caller, key: string | undefined, source: SubmittedSource) {
    const workspace = await deps.directory.get(caller.workspaceId);
    const idempotencyKey = idempotencyKeyOf(undefined, key);
    const made = await registerAsset(deps, workspace, caller, { ...source, idempotencyKey, record: null });
    return replyWithAsset(deps, workspace, made);
  }
  return defineRoute({
    ...createEvidenceAsset,
    digest: digestJson,
    handleForm: (request, file) =>
      create(request.caller, request.header('idempotency-key'), fromForm(request.body, file)),
    handle: (request) =>
      // In a promise, so that a refusal of the body is one as well.
      Promise.resolve().then(() => create(request.caller, request.header('idempotency-key'), fromJson(request.body))),
  });
}
