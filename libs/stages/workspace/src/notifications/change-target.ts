import { actorOf, type Caller } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import { guardCommand } from '@answer-evidence/ledger';
import { OutboundError, type StoredTarget, type Workspace } from '@answer-evidence/ports';
import type { NotificationDeps } from './deps.ts';
import { isOwnChange, noTarget, prepareTargetChange, type WantedChange } from './prepare-target-change.ts';

const KEY_BYTES = 32;

/** A secret for a target: 32 random bytes. */
export function newTargetKey({ random }: Pick<NotificationDeps, 'random'>): Uint8Array {
  return random.bytes(KEY_BYTES);
}

/** Throws `schema_violation` for an address that may not be called. */
export function assertReachable({ outbound }: Pick<NotificationDeps, 'outbound'>, url: string | undefined): void {
  if (url === undefined) return;
  try {
    outbound.assertAllowed(url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new ServiceError('schema_violation', 'the request is invalid', {
      errors: [{ pointer: '/url', detail: `must be an address that may be called; ${error.message}` }],
    });
  }
}

/** Appends the change, prepared anew when another one came first. Throws what it is refused by. */
export async function changeTarget(
  deps: NotificationDeps,
  workspace: Workspace,
  caller: Caller,
  wanted: WantedChange,
): Promise<void> {
  const actor = actorOf(caller);
  await deps.ledger.append(workspace.id, async () => {
    const stored = await deps.notifications.targets(workspace.id);
    const right = isOwnChange(wanted) ? 'notifications.own' : 'notifications';
    return guardCommand(prepareTargetChange(deps, { workspace, stored, actor }, wanted), actor, right);
  });
}

/** A target of the workspace. Throws `not_found`. */
export async function getStoredTarget(
  { notifications }: Pick<NotificationDeps, 'notifications'>,
  workspaceId: string,
  targetId: string,
): Promise<StoredTarget> {
  const found = await notifications.findTarget(workspaceId, targetId);
  if (found === undefined) throw noTarget();
  return found;
}
