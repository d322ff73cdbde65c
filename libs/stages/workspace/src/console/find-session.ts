import { sessionKeyOf, type SessionSecret } from '@answer-evidence/access';
import { CONSOLE_LIFE_SECONDS_MAX, ServiceError } from '@answer-evidence/contracts';
import { MICROS_PER_SECOND } from '@answer-evidence/encoding';
import type { ConsoleSession, StoredMember, Workspace } from '@answer-evidence/ports';
import { findCredential, findProviderLink } from '../members/credentials.ts';
import { accessMark } from './access-mark.ts';
import type { ConsoleSessionDeps } from './deps.ts';
import { findSessionSecrets } from './session-cookie.ts';

/** A session that is open now, with the secret that its browser holds. */
export type OpenSession = {
  readonly workspace: Workspace;
  readonly member: StoredMember['row'];
  readonly session: ConsoleSession;
  readonly secret: Uint8Array;
};

type FindingDeps = Pick<
  ConsoleSessionDeps,
  'consoleSessions' | 'sessionLife' | 'directory' | 'members' | 'clock' | 'workspaceOfHost'
>;

/** The open session of a request. Throws `unauthenticated`. */
export async function getOpenSession(
  deps: FindingDeps,
  request: { header(name: string): string | undefined },
): Promise<OpenSession> {
  const cookie = request.header('cookie');
  const hosted = cookie === undefined ? undefined : await deps.workspaceOfHost?.(request.header('host'));
  const found = await findOpenSession(deps, cookie, hosted?.slug);
  if (found === undefined) throw new ServiceError('unauthenticated', 'there is no open session; sign in');
  return found;
}

/** The first open session of the cookies of a request, of the workspace of that name only where one is given. */
export async function findOpenSession(
  deps: FindingDeps,
  cookie: string | undefined,
  slug?: string,
): Promise<OpenSession | undefined> {
  for (const given of findSessionSecrets(cookie)) {
    const found = await openSession(deps, given);
    if (found !== undefined && (slug === undefined || found.workspace.slug === slug)) return found;
  }
  return undefined;
}

const LIFE_MICROS_MAX = CONSOLE_LIFE_SECONDS_MAX * MICROS_PER_SECOND;

/**
 * Whether a session has neither expired, nor been unused for too long, nor been opened or used while the clock was
 * ahead: how long ago that was, nobody knows.
 */
function isInTime({ expiresAt, usedAt }: ConsoleSession, now: number, idleMicros: number): boolean {
  return now < expiresAt && expiresAt - now <= LIFE_MICROS_MAX && Math.abs(now - usedAt) < idleMicros;
}

/**
 * The open session of a secret. None when it is out of its time, or when its member was disabled or removed, may do
 * other things, or has another password or provider link than the one at signing in.
 */
async function openSession(
  deps: FindingDeps,
  { workspaceId, secret }: SessionSecret,
): Promise<OpenSession | undefined> {
  const session = await deps.consoleSessions.find(workspaceId, sessionKeyOf(secret));
  if (session === undefined) return undefined;
  if (!isInTime(session, deps.clock.nowMicros(), deps.sessionLife.idleSeconds * MICROS_PER_SECOND)) return undefined;
  const [workspace, stored] = await Promise.all([
    deps.directory.get(workspaceId),
    deps.members.find(workspaceId, session.memberId),
  ]);
  if (stored === undefined || stored.row.disabled_at !== null || stored.row.removed_at !== null) return undefined;
  const entries = [findCredential(workspace, stored)?.entry_id, findProviderLink(workspace, stored)?.entry_id];
  const isAsBefore = accessMark(stored.row) === session.role && entries.includes(session.credentialEntryId);
  return isAsBefore ? { workspace, member: stored.row, session, secret } : undefined;
}
