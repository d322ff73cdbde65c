import { sessionKeyOf } from '@answer-evidence/access';
import { CONSOLE_IDLE_SECONDS, ServiceError } from '@answer-evidence/contracts';
import { MICROS_PER_SECOND } from '@answer-evidence/encoding';
import type { ConsoleSession, StoredMember, Workspace } from '@answer-evidence/ports';
import { findCredential } from '../members/credentials.ts';
import type { ConsoleSessionDeps } from './deps.ts';
import { findSessionSecret } from './session-cookie.ts';

/** A session that is open now, with the secret that its browser holds. */
export type OpenSession = {
  readonly workspace: Workspace;
  readonly member: StoredMember['row'];
  readonly session: ConsoleSession;
  readonly secret: Uint8Array;
};

type FindingDeps = Pick<ConsoleSessionDeps, 'consoleSessions' | 'directory' | 'members' | 'clock' | 'workspaceOfHost'>;

/** The open session of a request. Throws `unauthenticated`. */
export async function getOpenSession(
  deps: FindingDeps,
  request: { header(name: string): string | undefined },
): Promise<OpenSession> {
  const found = await findOpenSession(deps, request.header('cookie'));
  const hosted = found === undefined ? undefined : await deps.workspaceOfHost?.(request.header('host'));
  if (found === undefined || (hosted !== undefined && hosted.slug !== found.workspace.slug))
    throw new ServiceError('unauthenticated', 'there is no open session; sign in');
  return found;
}

/**
 * The open session of a cookie. None when it has expired, was not used for too long, or when its member was disabled or
 * removed, has another role, or another password than at signing in.
 */
export async function findOpenSession(deps: FindingDeps, cookie: string | undefined): Promise<OpenSession | undefined> {
  const given = findSessionSecret(cookie);
  if (given === undefined) return undefined;
  const { workspaceId, secret } = given;
  const session = await deps.consoleSessions.find(workspaceId, sessionKeyOf(secret));
  if (session === undefined) return undefined;
  const now = deps.clock.nowMicros();
  if (now >= session.expiresAt || now >= session.usedAt + CONSOLE_IDLE_SECONDS * MICROS_PER_SECOND) return undefined;
  const [workspace, stored] = await Promise.all([
    deps.directory.get(workspaceId),
    deps.members.find(workspaceId, session.memberId),
  ]);
  if (stored === undefined || stored.row.disabled_at !== null || stored.row.removed_at !== null) return undefined;
  const isAsBefore =
    stored.row.role === session.role && findCredential(workspace, stored)?.entry_id === session.credentialEntryId;
  return isAsBefore ? { workspace, member: stored.row, session, secret } : undefined;
}
