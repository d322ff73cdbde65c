import { ServiceError } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';

/** What could not be read again would hold up the items beside it. */
export function assertReadable(text: string): void {
  if (!/\\u(d[89a-f]|0000)/.test(text)) return;
  try {
    parseJsonText(text);
  } catch {
    throw new ServiceError(
      'schema_violation',
      'a field contains U+0000 or an unpaired surrogate; send well-formed Unicode without it',
    );
  }
}
