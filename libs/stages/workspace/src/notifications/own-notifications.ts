import { type Caller, typesFor } from '@answer-evidence/access';
import {
  NOTIFICATION_TYPES,
  type OwnNotifications,
  type PutOwnNotificationsRequest,
  ServiceError,
} from '@answer-evidence/contracts';
import { formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import { accessOf } from '@answer-evidence/ledger';
import { StoredDamageError, type StoredMember, type StoredTarget, type Workspace } from '@answer-evidence/ports';
import type { NotificationDeps } from './deps.ts';
import { readMail } from './mail-terms.ts';
import { openTarget } from './target-secrets.ts';

/** Codes that are sent for one member within a day. */
export const OWN_CODES_MAX = 5;

/** Whose notifications a caller may set: a person's own. An application is refused before. */
export function memberIdOf(caller: Caller): string {
  if (caller.kind !== 'user')
    throw new ServiceError('token_kind_not_allowed', 'only a member has notifications; use a user token');
  return caller.userId;
}

/** What a member has mailed to themselves, if they have set it up. */
export async function findOwn(
  { notifications }: Pick<NotificationDeps, 'notifications'>,
  workspaceId: string,
  memberId: string,
): Promise<StoredTarget | undefined> {
  const { targets } = await notifications.targets(workspaceId);
  return targets.find(({ row }) => row.member_id === memberId);
}

/** The same. Throws `not_found`. */
export async function getOwn(
  deps: Pick<NotificationDeps, 'notifications'>,
  workspaceId: string,
  memberId: string,
): Promise<StoredTarget> {
  const found = await findOwn(deps, workspaceId, memberId);
  if (found === undefined)
    throw new ServiceError('not_found', 'no notifications of yours are set up; choose an address first');
  return found;
}

/** The member as they are now. Throws `unauthenticated` for nobody. */
export async function getMember(
  { members }: Pick<NotificationDeps, 'members'>,
  workspaceId: string,
  memberId: string,
): Promise<StoredMember> {
  const found = await members.find(workspaceId, memberId);
  if (found === undefined) throw new ServiceError('unauthenticated', 'the user is no longer a member; ask a manager');
  return found;
}

/** Throws `schema_violation` for a type that the role of the member does not see. */
export function assertTypes({ row }: StoredMember, { event_types: wanted }: PutOwnNotificationsRequest): void {
  const types = typesFor(accessOf(row));
  const errors = (wanted ?? []).flatMap((type, index) =>
    types.includes(type)
      ? []
      : [{ pointer: `/event_types/${index}`, detail: 'must be a type that your role may see; leave it out' }],
  );
  if (errors.length > 0) throw new ServiceError('schema_violation', 'the request is invalid', { errors });
}

/** As its member sees it, with the address. */
export function toOwnResource(workspace: Workspace, { row, state, pending }: StoredTarget): OwnNotifications {
  const mail = readMail(row);
  const types = row.event_types_json === null ? null : parseJsonText(row.event_types_json);
  if (mail === undefined || (types !== null && !Array.isArray(types)))
    throw new StoredDamageError(`the target ${row.id} is not as it was written`);
  const { digest, hour, language } = mail;
  return {
    id: row.id,
    address: openTarget(workspace, row).url.slice('mailto:'.length),
    ...{ digest, hour, language },
    event_types: types === null ? null : NOTIFICATION_TYPES.filter((type) => types.includes(type)),
    state: state.state,
    reason: state.reason,
    failing_since: state.failing_since === null ? null : formatTimestamp(state.failing_since),
    pending,
  };
}
