import { key as keySchema, ServiceError } from '@answer-evidence/contracts';

/** The `Idempotency-Key` header, a structured-field string or bare; null without. Throws `schema_violation`. */
export function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header);
  const parsed = keySchema.safeParse(quoted?.[1] === undefined ? header : quoted[1].replace(/\\(["\\])/g, '$1'));
  if (parsed.success) return parsed.data;
  throw new ServiceError('schema_violation', 'the Idempotency-Key header must hold 1 to 200 characters');
}
