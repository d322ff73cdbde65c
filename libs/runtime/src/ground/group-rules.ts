import { type GroupRule, groupRules, toGroupRule } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';

/** Reads the operator's table of groups. Throws an `Error` that says which row is wrong and repeats none of it. */
export function parseGroupRules(text: string): readonly GroupRule[] {
  const parsed = groupRules.safeParse(orFault(undefined, () => parseJsonText(text)));
  if (parsed.success) return parsed.data.map((row, n) => orFault(n, () => toGroupRule(row)));
  const [issue] = parsed.error.issues;
  const [row, ...rest] = issue?.path ?? [];
  throw faultOf(row, [...rest, issue?.message ?? 'is not valid'].map(String).join(' '));
}

function orFault<Value>(row: number | undefined, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw faultOf(row, error instanceof Error ? error.message : 'is not valid');
  }
}

function faultOf(row: PropertyKey | undefined, what: string): Error {
  const place = row === undefined ? '' : `row ${Number(row) + 1}: `;
  return new Error(`must be a JSON array of rows such as {"group": "reviewers", "role": "reviewer"}; ${place}${what}`);
}
