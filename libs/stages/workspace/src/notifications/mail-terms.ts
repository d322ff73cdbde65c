import * as z from 'zod';
import { type MailTerms, mailTerms } from '@answer-evidence/contracts';
import { JsonError, parseJsonText } from '@answer-evidence/encoding';
import { StoredDamageError } from '@answer-evidence/ports';
import type { TargetRow } from '@answer-evidence/tables';

/** How a target of mail is written to, and the member who added it. */
export type StoredMail = MailTerms & { readonly member_id: string };

const stored = z.strictObject({ ...mailTerms.shape, member_id: z.string() });

/** As the column of a target has it. */
export function formatMail(mail: StoredMail): string {
  return JSON.stringify(mail);
}

/** Undefined for a webhook. Throws `StoredDamageError` where the column is not as it was written. */
export function readMail({ id, mail_json: text }: Pick<TargetRow, 'id' | 'mail_json'>): StoredMail | undefined {
  if (text === null) return undefined;
  try {
    return stored.parse(parseJsonText(text));
  } catch (error) {
    if (!(error instanceof JsonError) && !(error instanceof z.ZodError)) throw error;
    throw new StoredDamageError(`the target ${id} is not as it was written`);
  }
}
