import * as z from 'zod';
import { anyBundle, anyUuid, proofQuery } from '@answer-evidence/contracts';
import { authenticated, defineRoute, type Route, withholdsTexts } from '@answer-evidence/routes';
import { buildBundle } from '../../bundle/build-bundle.ts';
import { formatInPieces } from '../../bundle/format-in-pieces.ts';
import { readConsistently } from '../../bundle/read-consistently.ts';
import { chooseCheckpoint } from '../../checkpoints/choose-checkpoint.ts';
import type { TrustDeps } from '../../deps.ts';

/** A bundle with more attachments is formatted and sent piece by piece; it may have many megabytes. */
const WHOLE_MAX = 256;

/** `GET /api/trust/proofs/answers/{answer_log_id}`: everything an offline verifier needs, and no verdict. */
export function proveRecordRoute(deps: TrustDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/trust/proofs/answers/{answer_log_id}',
    operationId: 'getAnswerProof',
    summary: 'Get the proof bundle of a record',
    access: 'trust.read',
    params: z.strictObject({ answer_log_id: anyUuid }),
    query: proofQuery,
    responses: {
      200: {
        description: 'The bundle: answer-evidence-bundle/v1, and without texts answer-evidence-bundle/v2',
        schema: anyBundle,
      },
      404: { description: 'No such record' },
    },
    async handle(request) {
      const { params, query, caller: sentBy } = request;
      const caller = authenticated(sentBy);
      const workspace = await deps.directory.get(caller.workspaceId);
      const { stored, evidence, snapshot, lastLeaf } = await readConsistently(deps, caller, params.answer_log_id);
      const withholds = query.texts === 'withheld' || withholdsTexts(request);
      const policy = await deps.trust.policy(workspace.id);
      const chosen = await chooseCheckpoint(deps, workspace, policy, snapshot, lastLeaf);
      const bundle = await buildBundle(
        deps,
        workspace,
        { stored, evidence, withholds },
        snapshot.nodes,
        chosen,
        policy,
      );
      if (bundle.attachments.length <= WHOLE_MAX) return { status: 200, body: bundle };
      return { status: 200, contentType: 'application/json', stream: { bytes: formatInPieces(bundle, deps.turn) } };
    },
  });
}
