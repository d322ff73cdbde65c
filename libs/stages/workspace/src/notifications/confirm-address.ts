import type { MailTerms } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatHex, MICROS_PER_DAY, utf8 } from '@answer-evidence/encoding';
import type { Mailer, MailOutcome, Workspace } from '@answer-evidence/ports';
import type { TargetRow } from '@answer-evidence/tables';
import { addresseeOf } from './addressee-of.ts';
import { composeCode } from './compose-mail.ts';
import type { NotificationDeps } from './deps.ts';
import type { PendingCode } from './target-secrets.ts';

/** 96 bits: nobody guesses it, so tries need no count. */
const CODE_BYTES = 12;

/** A code for an address, and what is kept of it for a day. */
export function newCode({ random, clock }: Pick<NotificationDeps, 'random' | 'clock'>) {
  const code = formatHex(random.bytes(CODE_BYTES));
  const pending: PendingCode = { sha256: digestOf(code), until: clock.nowMicros() + MICROS_PER_DAY };
  return { code, pending };
}

/** Whether it is the code that is waited for. */
export function isCodeOf(pending: PendingCode | undefined, code: string, nowMicros: number): boolean {
  return pending !== undefined && nowMicros < pending.until && digestOf(code.trim().toLowerCase()) === pending.sha256;
}

/** Mails the code. */
export function sendCode(
  deps: NotificationDeps,
  mailer: Mailer,
  workspace: Workspace,
  {
    row,
    language,
    code,
  }: {
    readonly row: TargetRow;
    readonly language: MailTerms['language'];
    readonly code: string;
  },
): Promise<MailOutcome> {
  const mail = composeCode(row.id, code, addresseeOf(deps, workspace, row, language));
  return mailer.send(mail, new AbortController().signal);
}

function digestOf(code: string): string {
  return formatHex(sha256(utf8(code)));
}
