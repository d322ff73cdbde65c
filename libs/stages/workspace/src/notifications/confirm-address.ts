import type { Caller } from '@answer-evidence/access';
import {
  type CreateMailTargetRequest,
  type PutOwnNotificationsRequest,
  ServiceError,
} from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatHex, MICROS_PER_DAY, utf8 } from '@answer-evidence/encoding';
import type { StoredTarget, Workspace } from '@answer-evidence/ports';
import type { TargetRow } from '@answer-evidence/tables';
import { addresseeOf } from './addressee-of.ts';
import { changeTarget, getStoredTarget } from './change-target.ts';
import { composeCode } from './compose-mail.ts';
import type { NotificationDeps } from './deps.ts';
import { openTarget, type PendingCode } from './target-secrets.ts';

/** 96 bits: nobody guesses it, so tries need no count. */
const CODE_BYTES = 12;

/** A code for an address, and what is kept of it for a day. */
function newCode({ random, clock }: Pick<NotificationDeps, 'random' | 'clock'>) {
  const code = formatHex(random.bytes(CODE_BYTES));
  const pending: PendingCode = { sha256: digestOf(code), until: clock.nowMicros() + MICROS_PER_DAY };
  return { code, pending };
}

/** Whether it is the code that is waited for. */
function isCodeOf(pending: PendingCode | undefined, code: string, nowMicros: number): boolean {
  return pending !== undefined && nowMicros < pending.until && digestOf(code.trim().toLowerCase()) === pending.sha256;
}

/** Throws `schema_violation` unless it is the code that was mailed for the target. */
export function assertCode(
  { clock }: Pick<NotificationDeps, 'clock'>,
  workspace: Workspace,
  row: TargetRow,
  code: string,
): void {
  if (isCodeOf(openTarget(workspace, row).code, code, clock.nowMicros())) return;
  throw new ServiceError('schema_violation', 'the request is invalid', {
    errors: [
      {
        pointer: '/code',
        detail: 'must be the code that was mailed for this target within the last day; add the address again',
      },
    ],
  });
}

/** Adds a target of mail and sends it a code; where the mail server does not take it, the target is removed again. */
export async function sendNewCode(
  deps: NotificationDeps,
  workspace: Workspace,
  caller: Caller,
  wanted:
    | { readonly targetId: string; readonly body: CreateMailTargetRequest; readonly own?: undefined }
    | {
        readonly targetId: string;
        readonly body: PutOwnNotificationsRequest;
        readonly own: { readonly memberId: string; readonly username: string };
      },
): Promise<StoredTarget> {
  const { mailer } = deps;
  const { targetId, body, own } = wanted;
  if (mailer === undefined)
    throw refusedAddress('must be left out: there is no mail server; ask the operator to set SERVICE_SMTP_URL');
  const { code, pending } = newCode(deps);
  const named = own === undefined ? wanted.body : { ...wanted.body, name: `mails to ${own.username}` };
  await changeTarget(deps, workspace, caller, {
    ...{ kind: 'mail_created', targetId, body: named, code: pending },
    ...(own === undefined ? {} : { memberId: own.memberId }),
  });
  const stored = await getStoredTarget(deps, workspace.id, targetId);
  const mail = composeCode(targetId, code, addresseeOf(deps, workspace, stored.row, body.language));
  const outcome = await mailer.send(mail, new AbortController().signal);
  if (outcome.kind === 'sent') return stored;
  await changeTarget(deps, workspace, caller, { kind: 'removed', targetId, isOwn: own !== undefined });
  if (outcome.kind === 'refused') throw refusedAddress('must be one that the mail server does not refuse');
  throw new ServiceError('mail_unavailable', 'the mail server does not take the code; retry the same request', {
    remedy: 'retry',
  });
}

/** That an address cannot be had. */
export function refusedAddress(detail: string): ServiceError {
  return new ServiceError('schema_violation', 'the request is invalid', {
    errors: [{ pointer: '/address', detail }],
  });
}

function digestOf(code: string): string {
  return formatHex(sha256(utf8(code)));
}
