import { commitPlain } from '@answer-evidence/commitments';
import type { CreateRecordRequest, JsonObject, TextOrHash } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';

/**
 * What two requests with one idempotency key are compared by: the JCS of the request as sent, without defaults, generated ids
 * and the key itself, each text replaced by its SHA-256 and a hash beside a text filled in likewise.
 */
export function fingerprintText(request: CreateRecordRequest): string {
  const { idempotency_key: _, ...rest } = request;
  return canonicalize({
    ...(rest as JsonObject),
    question: withoutText(request.question),
    answer: withoutText(request.answer),
  });
}

function withoutText(value: TextOrHash): JsonObject {
  if (value.text === undefined) return value.hash === undefined ? {} : { hash: value.hash };
  const digest = commitPlain(value.text);
  return { text: digest, hash: value.hash ?? digest };
}
