import * as z from 'zod';
import { anyBundle, anyUuid, proofQuery } from '@answer-evidence/contracts';
import { authenticated, defineRoute, type Route, textDoorOf } from '@answer-evidence/routes';
import { replyWithBundle } from '../../bundle/reply-with-bundle.ts';
import type { TrustDeps } from '../../deps.ts';

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
      const door = request.query.texts === 'withheld' ? { texts: 'withheld' as const } : textDoorOf(request);
      return replyWithBundle(deps, authenticated(request.caller), request.params.answer_log_id, door);
    },
  });
}
