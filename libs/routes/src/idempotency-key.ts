import { key as keySchema, ServiceError } from '@answer-evidence/contracts';

/**
 * The idempotency key of a request: the body's, or the `Idempotency-Key` header's (a structured-field string, or bare).
 * Throws `idempotency_key_mismatch` when both are there and differ, `schema_violation` when the header's form is wrong.
 */
export function idempotencyKeyOf(fromBody: string | undefined, header: string | undefined): string | null {
  if (header === undefined) return fromBody ?? null;
  const parsed = keySchema.safeParse(unquote(header));
  if (!parsed.success) throw refusal('schema_violation', 'the Idempotency-Key header must hold 1 to 200 characters');
  if (fromBody !== undefined && fromBody !== parsed.data)
    throw refusal(
      'idempotency_key_mismatch',
      'the Idempotency-Key header and idempotency_key differ; send one, or the same key twice',
    );
  return parsed.data;
}

function unquote(header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header);
  return quoted?.[1] === undefined ? header : quoted[1].replace(/\\(["\\])/g, '$1');
}

function refusal(code: 'schema_violation' | 'idempotency_key_mismatch', detail: string): ServiceError {
  return new ServiceError(code, detail, { errors: [{ pointer: '/idempotency_key', detail }] });
}
