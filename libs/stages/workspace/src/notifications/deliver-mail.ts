import { mayBeTold } from '@answer-evidence/access';
import type { MemberAccess, NotificationBody } from '@answer-evidence/contracts';
import { accessOf, isActive } from '@answer-evidence/ledger';
import {
  type DeliveryOutcome,
  type DueDelivery,
  type Mailer,
  type MailOutcome,
  StoredDamageError,
  type TargetHealth,
  type TargetLease,
  type Workspace,
} from '@answer-evidence/ports';
import { addresseeOf } from './addressee-of.ts';
import { composeMail } from './compose-mail.ts';
import type { NotificationDeps } from './deps.ts';
import { readMail, type StoredMail } from './mail-terms.ts';
import { planRetry } from './plan-retry.ts';
import { disabledNotification } from './target-notifications.ts';
import { toBody } from './to-body.ts';

/** Notifications of one digest; what is beyond goes with the next one, at once. */
const DIGEST_MAX = 500;
/** Mails of one target, and then it is the turn of others. */
const MAILS_MAX = 20;

/** Mails what is due to one target, in order; what of a digest was sent is noted as a whole. */
export async function deliverMails(
  deps: NotificationDeps,
  workspace: Workspace,
  lease: TargetLease,
  leaseEnd: () => number,
  signal: AbortSignal,
): Promise<void> {
  const { notifications, mailer, clock } = deps;
  const { id } = lease.row;
  const mail = readMail(lease.row);
  if (mail === undefined) return;
  const reader = await findReader(deps, workspace.id, lease.row, mail);
  if (reader === undefined) {
    await notifications.disable(workspace.id, id, 'owner_left', () =>
      disabledNotification(lease.row, 'owner_left', clock.nowMicros()),
    );
    return;
  }
  let health: TargetHealth | undefined = lease.health;
  for (let sent = 0; sent < MAILS_MAX; sent++) {
    if (sent > 0) health = await notifications.renew(workspace.id, id, leaseEnd());
    if (health === undefined) return;
    const due = await notifications.allDue(workspace.id, id, mail.digest === 'at_once' ? 1 : DIGEST_MAX);
    const [first] = due;
    if (first === undefined) return;
    const bodies = await readBodies(deps, workspace, due, reader);
    if (bodies.length === 0) continue;
    const outcome = await sendMail(deps, mailer, workspace, { lease, mail, health, first, bodies }, signal);
    if (outcome.kind === 'delivered') {
      const whole = due.filter((one) => bodies.some(([read]) => read === one)).map(({ delivery }) => delivery);
      await notifications.noteSent(workspace.id, whole, outcome);
      continue;
    }
    await notifications.noteAttempt(workspace.id, first.delivery, outcome, () =>
      disabledNotification(lease.row, reasonOf(outcome), clock.nowMicros()),
    );
    return;
  }
}

/**
 * What the reader of the mails may see now; undefined when they get none any more. Mails of the workspace go to a
 * manager, as long as who added them is that; a member's own say what the role of the member reads.
 */
async function findReader(
  { members }: NotificationDeps,
  workspaceId: string,
  { member_id: ownerId }: TargetLease['row'],
  mail: StoredMail,
): Promise<MemberAccess | undefined> {
  const found = await members.find(workspaceId, ownerId ?? mail.member_id);
  if (found === undefined || !isActive(found)) return undefined;
  const access = accessOf(found.row);
  return ownerId !== null || access.role === 'manager' ? access : undefined;
}

type Read = readonly [DueDelivery, NotificationBody];

/** What is as it was written and may be seen; the rest is noted as that and waits no longer. */
async function readBodies(
  { notifications }: NotificationDeps,
  workspace: Workspace,
  due: readonly DueDelivery[],
  reader: MemberAccess,
): Promise<readonly Read[]> {
  const read: Read[] = [];
  const leaveOut = (one: DueDelivery, error: string) =>
    notifications.noteAttempt(workspace.id, one.delivery, { kind: 'unsendable', error }, () => {
      throw new Error('what is left out disables no target');
    });
  for (const one of due) {
    const body = bodyOf(workspace, one);
    if (body === undefined) await leaveOut(one, 'the notification is not as it was written');
    else if (mayBeTold(reader, body.type, body.data.about)) read.push([one, body]);
    else await leaveOut(one, 'the member may not see this any more');
  }
  return read;
}

function bodyOf(workspace: Workspace, { notification }: DueDelivery): NotificationBody | undefined {
  try {
    return toBody(workspace, notification);
  } catch (error) {
    if (error instanceof StoredDamageError) return undefined;
    throw error;
  }
}

type Attempt = {
  readonly lease: TargetLease;
  readonly mail: StoredMail;
  readonly health: TargetHealth;
  readonly first: DueDelivery;
  readonly bodies: readonly Read[];
};

/** Throws when the process stops meanwhile: that says nothing of the target. */
async function sendMail(
  deps: NotificationDeps,
  mailer: Mailer | undefined,
  workspace: Workspace,
  { lease, mail, health, first, bodies }: Attempt,
  signal: AbortSignal,
): Promise<Exclude<DeliveryOutcome, { readonly kind: 'unsendable' }>> {
  const [[oldest] = []] = bodies;
  const id = oldest?.notification.id ?? first.notification.id;
  const message = composeMail(
    id,
    bodies.map(([, body]) => body),
    addresseeOf(deps, workspace, lease.row, mail.language),
  );
  const outcome: MailOutcome =
    mailer === undefined
      ? { kind: 'failed', status: null, error: 'the operator has set no mail server' }
      : await mailer.send(message, signal);
  if (signal.aborted && outcome.kind === 'failed') throw new Error('the process stops during a delivery');
  if (outcome.kind === 'sent') return { kind: 'delivered', status: outcome.status };
  const { status, error } = outcome;
  const planned = planRetry({
    status: outcome.kind === 'refused' ? REFUSED : null,
    error,
    attempts: first.delivery.attempts,
    ...health,
    nowMicros: deps.clock.nowMicros(),
    chance: (deps.random.bytes(1)[0] ?? 0) / 256,
  });
  if (planned.kind !== 'failed') throw new Error('a mail that was not sent is not delivered');
  return { ...planned, status };
}

/** As a webhook says that it is gone. */
const REFUSED = 410;

function reasonOf(outcome: DeliveryOutcome) {
  return outcome.kind === 'failed' ? (outcome.disabledFor ?? 'down') : 'down';
}
