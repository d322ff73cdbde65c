import { getAnswerProof } from '@answer-evidence/contracts/operations';
import { holdsTexts, type TextDoor } from '@answer-evidence/ports';
import {
  defineRoute,
  noteReading,
  planWholeReading,
  type ReadingRequest,
  type Route,
  textHeadersOf,
  wantsNoTexts,
} from '@answer-evidence/routes';
import { readConsistently } from '../../bundle/read-consistently.ts';
import { replyWithBundle } from '../../bundle/reply-with-bundle.ts';
import type { TrustDeps } from '../../deps.ts';

/** `GET /api/trust/proofs/answers/{answer_log_id}`: everything an offline verifier needs, and no verdict. */
export function proveRecordRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...getAnswerProof,
    async handle(request) {
      const { caller } = request;
      const recordId = request.params.answer_log_id;
      const reading = { request, caller, operation: getAnswerProof };
      const door: TextDoor =
        request.query.texts === 'withheld' || wantsNoTexts(request)
          ? { texts: 'withheld' }
          : await openBundleDoor(deps, reading, recordId);
      const reply = await replyWithBundle(deps, caller, recordId, door);
      return { ...reply, headers: textHeadersOf(door) };
    },
  });
}

/** The entry comes before the bundle, whose head of the log then has it. Without texts it would be another bundle. */
async function openBundleDoor(deps: TrustDeps, reading: ReadingRequest, recordId: string): Promise<TextDoor> {
  const { stored } = await readConsistently(deps, reading.caller, recordId);
  if (!holdsTexts(stored)) return { texts: 'shown', vouchedBy: null };
  const { door, entriesFor } = await planWholeReading(deps, reading);
  await noteReading(deps, reading.caller, entriesFor([stored.record.id]));
  return door;
}
