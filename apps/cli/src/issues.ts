import type { z } from 'zod';
import { describeIssues, IN_OUR_WORDS } from '@answer-evidence/contracts/describe-issues';
import { UsageError } from './usage-error.ts';

/** The value as the schema reads it. Throws `UsageError`, which names the places that are wrong. */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = readWith(schema, value);
  if ('fault' in read) throw new UsageError(read.fault);
  return read.value;
}

/** The value as the schema reads it, or what is wrong with it, place by place and without the values. */
export function readWith<T>(schema: z.ZodType<T>, value: unknown): { readonly value: T } | { readonly fault: string } {
  const parsed = schema.safeParse(value, IN_OUR_WORDS);
  if (parsed.success) return { value: parsed.data };
  const faults = describeIssues(parsed.error.issues, 'field');
  return { fault: faults.map(({ path, detail }) => `/${path.map(String).join('/')} ${detail}`).join('; ') };
}
