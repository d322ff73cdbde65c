import type { z } from 'zod';
import { UsageError } from './usage-error.ts';

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string; readonly keys?: readonly string[] };

/** The value as the schema reads it. Throws `UsageError`, which names the places that are wrong. */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new UsageError(formatIssues(parsed.error.issues));
  return parsed.data;
}

/** What a schema found wrong, place by place. Values are never part of it. */
export function formatIssues(issues: readonly Issue[]): string {
  return issues.map(formatIssue).join('; ');
}

function formatIssue(issue: Issue): string {
  const place = `/${issue.path.map(String).join('/')}`;
  return issue.keys === undefined
    ? `${place} ${issue.message}`
    : `${place} has unknown fields: ${issue.keys.join(', ')}`;
}
