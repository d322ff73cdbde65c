import { commitPlain } from '@answer-evidence/commitments';
import type { CreateRecordRequest, JsonObject, TextOrHash } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';

/** The plain commitments of a request's texts: both its fingerprint and, mostly, its core need them. */
export type TextDigests = { readonly question: string | undefined; readonly answer: string | undefined };

/** Hashes the texts of a request. */
export function digestTexts({ question, answer }: CreateRecordRequest): TextDigests {
  return { question: digest(question), answer: digest(answer) };
}

function digest({ text }: TextOrHash): string | undefined {
  return text === undefined ? undefined : commitPlain(text);
}

/**
 * What two requests with one idempotency key are compared by: the JCS of the request as sent, without defaults,
 * generated ids and the key itself, each text replaced by its SHA-256 and a hash beside a text filled in likewise. One
 * that came with a span, or as a log record without one (null), differs from every request of its own, and from those
 * of other spans.
 */
export function fingerprintText(
  request: CreateRecordRequest,
  digests: TextDigests = digestTexts(request),
  spanId?: string | null,
): string {
  const { idempotency_key: _, ...rest } = request;
  return canonicalize({
    ...(rest as JsonObject),
    ...(spanId === undefined ? {} : { otlp_span_id: spanId }),
    question: withoutText(request.question, digests.question),
    answer: withoutText(request.answer, digests.answer),
  });
}

function withoutText({ hash }: TextOrHash, digest: string | undefined): JsonObject {
  if (digest === undefined) return hash === undefined ? {} : { hash };
  return { text: digest, hash: hash ?? digest };
}
