import { utf8 } from '@answer-evidence/encoding';
import {
  type Consumer,
  type DeliveryOutcome,
  type DueDelivery,
  OutboundError,
  StoredDamageError,
  type TargetHealth,
  type TargetLease,
  tellTenant,
  type Workspace,
} from '@answer-evidence/ports';
import type { NotificationRow } from '@answer-evidence/tables';
import { deliverMails } from './deliver-mail.ts';
import type { NotificationDeps } from './deps.ts';
import { planRetry } from './plan-retry.ts';
import { signWebhook } from './sign-webhook.ts';
import { disabledNotification } from './target-notifications.ts';
import { openTarget, type TargetSecrets } from './target-secrets.ts';
import { toBody } from './to-body.ts';

/** For everything together: name look-up, connection, request and the whole response. */
const TIMEOUT_MS = 10_000;
/** Of a response the status counts; so much of the rest is read. */
const RESPONSE_BYTES_MAX = 64 * 1024;
/** Longer than an attempt takes with what is noted of it. */
const LEASE_MICROS = 30_000_000;
/** So many deliveries of one target, and then it is the turn of others. */
const DELIVERIES_MAX = 100;
/** Targets that one process delivers to at once. */
const TARGETS_AT_ONCE = 16;
/** How long a target rests after a fault of this side, such as a damaged row, so that it is not tried in a circle. */
const FAULT_PAUSE_MICROS = 60_000_000;

/**
 * Delivers what waits for one target, in the order of each subject. At least once: what was sent and not noted when the
 * process died is sent again under the same id.
 */
export function deliverConsumer(deps: NotificationDeps): Consumer {
  return {
    topic: 'notifications.deliver',
    concurrency: TARGETS_AT_ONCE,
    async run({ workspace_id: workspaceId, subject: targetId }, signal) {
      if (workspaceId === null || targetId === null)
        throw new Error('a delivery job must name a target of a workspace');
      const lease = await deps.notifications.lease(workspaceId, targetId, leaseEnd(deps));
      if (lease === undefined) return;
      let pauseMicros = FAULT_PAUSE_MICROS;
      try {
        const workspace = await deps.directory.get(workspaceId);
        if (lease.row.mail_json === null) await deliverDue(deps, workspace, lease, signal);
        else await deliverMails(deps, workspace, lease, () => leaseEnd(deps), signal);
        pauseMicros = 0;
      } finally {
        await deps.notifications.release(workspaceId, targetId, deps.clock.nowMicros() + pauseMicros);
      }
    },
  };
}

function leaseEnd({ clock }: Pick<NotificationDeps, 'clock'>): number {
  return clock.nowMicros() + LEASE_MICROS;
}

async function deliverDue(
  deps: NotificationDeps,
  workspace: Workspace,
  lease: TargetLease,
  signal: AbortSignal,
): Promise<void> {
  const { notifications, clock } = deps;
  const secrets = openTarget(workspace, lease.row);
  let health: TargetHealth | undefined = lease.health;
  for (let sent = 0; sent < DELIVERIES_MAX; sent++) {
    // How the target does is asked again: a success since has ended what failed before.
    if (sent > 0) health = await notifications.renew(workspace.id, lease.row.id, leaseEnd(deps));
    if (health === undefined) return;
    const due = await notifications.nextDue(workspace.id, lease.row.id);
    if (due === undefined) return;
    const outcome = await attempt(deps, workspace, { health, secrets, due }, signal);
    await notifications.noteAttempt(workspace.id, due.delivery, outcome, () =>
      disabledNotification(
        lease.row,
        (outcome.kind === 'failed' ? outcome.disabledFor : undefined) ?? 'down',
        clock.nowMicros(),
      ),
    );
    if (outcome.kind === 'failed' && (outcome.pausedUntil > 0 || outcome.disabledFor !== undefined)) return;
  }
}

type Attempt = { readonly health: TargetHealth; readonly secrets: TargetSecrets; readonly due: DueDelivery };

/** Throws when the process stops meanwhile: that says nothing of the target. */
async function attempt(
  deps: NotificationDeps,
  workspace: Workspace,
  { health, secrets, due: { delivery, notification } }: Attempt,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const nowMicros = deps.clock.nowMicros();
  const body = bodyOf(workspace, notification);
  if (body === undefined) return { kind: 'unsendable', error: 'the notification is not as it was written' };
  const keys = secrets.keys.filter(({ until }) => until === null || until > nowMicros).map(({ key }) => key);
  const seconds = Math.floor(nowMicros / 1_000_000);
  const { status, error } = await send(deps, secrets.url, signal, {
    body: utf8(body),
    headers: { 'User-Agent': 'answer-evidence', ...signWebhook(keys, { id: notification.id, seconds, body }) },
  });
  if (signal.aborted && status === null) throw new Error('the process stops during a delivery');
  return planRetry({
    status,
    error,
    attempts: delivery.attempts,
    ...health,
    nowMicros: deps.clock.nowMicros(),
    chance: (deps.random.bytes(1)[0] ?? 0) / 256,
  });
}

function bodyOf(workspace: Workspace, notification: NotificationRow): string | undefined {
  try {
    return JSON.stringify(toBody(workspace, notification));
  } catch (error) {
    if (error instanceof StoredDamageError) return undefined;
    throw error;
  }
}

async function send(
  { outbound }: NotificationDeps,
  url: string,
  signal: AbortSignal,
  sent: { readonly body: Uint8Array; readonly headers: Readonly<Record<string, string>> },
): Promise<{ readonly status: number | null; readonly error: string }> {
  try {
    const { status } = await outbound.post({
      url,
      ...sent,
      contentType: 'application/json',
      timeoutMs: TIMEOUT_MS,
      bytesMax: RESPONSE_BYTES_MAX,
      signal,
    });
    const isRedirect = status >= 300 && status < 400;
    return { status, error: `the target responded ${status}${isRedirect ? '; redirects are not followed' : ''}` };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { status: null, error: tellTenant(error) };
  }
}
