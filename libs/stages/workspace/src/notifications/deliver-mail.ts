import type { NotificationBody } from '@answer-evidence/contracts';
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
  if (!(await isStillManager(deps, workspace.id, mail.member_id))) {
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
    const bodies = await readBodies(deps, workspace, due);
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

/** Mails go to people who may see what they say: managers, as long as they are that. */
async function isStillManager({ members }: NotificationDeps, workspaceId: string, memberId: string): Promise<boolean> {
  const found = await members.find(workspaceId, memberId);
  if (found === undefined) return false;
  const { role, access_json: limits, disabled_at: disabledAt, removed_at: removedAt } = found.row;
  return role === 'manager' && limits === null && disabledAt === null && removedAt === null;
}

type Read = readonly [DueDelivery, NotificationBody];

/** What is as it was written; the rest is noted as that and waits no longer. */
async function readBodies(
  { notifications }: NotificationDeps,
  workspace: Workspace,
  due: readonly DueDelivery[],
): Promise<readonly Read[]> {
  const read: Read[] = [];
  for (const one of due)
    try {
      read.push([one, toBody(workspace, one.notification)]);
    } catch (error) {
      if (!(error instanceof StoredDamageError)) throw error;
      const outcome = { kind: 'unsendable', error: 'the notification is not as it was written' } as const;
      await notifications.noteAttempt(workspace.id, one.delivery, outcome, () => {
        throw error;
      });
    }
  return read;
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
