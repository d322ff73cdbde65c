import { getAnswerProof } from '@answer-evidence/contracts/operations';
import { authenticated, defineRoute, type Route, textDoorOf } from '@answer-evidence/routes';
import { replyWithBundle } from '../../bundle/reply-with-bundle.ts';
import type { TrustDeps } from '../../deps.ts';

/** `GET /api/trust/proofs/answers/{answer_log_id}`: everything an offline verifier needs, and no verdict. */
export function proveRecordRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...getAnswerProof,
    async handle(request) {
      const door = request.query.texts === 'withheld' ? { texts: 'withheld' as const } : textDoorOf(request);
      return replyWithBundle(deps, authenticated(request.caller), request.params.answer_log_id, door);
    },
  });
}
