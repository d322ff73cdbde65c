import type { JsonObject } from '@answer-evidence/contracts';
import { CheckFailure } from '../verdict.ts';

type Schema<T> = { safeParse(value: unknown): { readonly data?: T | undefined } };

/** A core of its form. Throws `CheckFailure`. */
export function readCore<T>(name: string, schema: Schema<T>, core: JsonObject): T {
  const { data } = schema.safeParse(core);
  if (data === undefined) throw new CheckFailure(`the core of ${name} does not have its form`);
  return data;
}
