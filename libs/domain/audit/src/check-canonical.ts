import { canonicalize, parseJsonText } from '@answer-evidence/encoding';
import { CheckFailure } from '@answer-evidence/verify/verdict';

/**
 * The JSON columns of a row: a text that differs from what was hashed must not pass because it means the same. Of one
 * that is null, the core has no member.
 */
export function checkCanonical(row: object): void {
  for (const [column, text] of Object.entries<unknown>({ ...row }))
    if (column.endsWith('_json') && text !== null && !isCanonical(text))
      throw new CheckFailure(`${column} is not in canonical form`);
}

function isCanonical(text: unknown): boolean {
  return typeof text === 'string' && canonicalize(parseJsonText(text)) === text;
}
