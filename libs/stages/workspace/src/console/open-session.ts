import {
  csrfTokenOf,
  formatSessionSecret,
  SESSION_SECRET_BYTES,
  sessionKeyOf,
  sessionTokenSecretOf,
} from '@answer-evidence/access';
import type { ConsoleSessionReply } from '@answer-evidence/contracts';
import { formatHex, formatTimestamp, MICROS_PER_SECOND } from '@answer-evidence/encoding';
import { accessOf, createTokenCommand } from '@answer-evidence/ledger';
import type { ConsoleSession, Workspace } from '@answer-evidence/ports';
import type { RouteReply } from '@answer-evidence/routes';
import type { MemberRow } from '@answer-evidence/tables';
import { loginFailed } from '../login/verify-login.ts';
import { appendIssue, makeUserToken } from '../tokens/issue-token.ts';
import { accessMark } from './access-mark.ts';
import type { ConsoleSessionDeps } from './deps.ts';
import { endSessions } from './end-sessions.ts';
import { findOpenSession } from './find-session.ts';
import { formatSessionCookie } from './session-cookie.ts';

const NAME_BYTES = 4;

/** Who has shown that they are a member. */
type Proven = {
  readonly workspace: Workspace;
  readonly member: Pick<MemberRow, 'id' | 'username' | 'role' | 'access_json'>;
  readonly credentialEntryId: string;
};

/**
 * Opens a session with a secret of its own, whatever cookie the request had: a session that was open by that one ends,
 * so that nobody who planted a cookie shares the new one. Throws `login_failed` and what the ledger throws. Why a
 * browser holds no token: decision 0108.
 */
export async function openSession(
  deps: ConsoleSessionDeps,
  cookie: string | undefined,
  { workspace, member, credentialEntryId }: Proven,
): Promise<RouteReply> {
  const before = await findOpenSession(deps, cookie);
  if (before !== undefined) await endSessions(deps, before.workspace, [before.session]);
  const { seconds, idleSeconds } = deps.sessionLife;
  const secret = deps.random.bytes(SESSION_SECRET_BYTES);
  const salt = deps.random.bytes(SESSION_SECRET_BYTES);
  const made = makeUserToken(
    deps,
    member,
    {
      name: `console-${member.username.slice(0, 100)}-${formatHex(deps.random.bytes(NAME_BYTES))}`,
      lifeSeconds: seconds,
      actor: { kind: 'user', id: member.id, token_id: null },
    },
    sessionTokenSecretOf(secret, salt),
  );
  const holder = { credentialEntryId, refusal: loginFailed() };
  await appendIssue(deps, workspace.id, createTokenCommand(workspace.id, made.core, holder, deps.tokensMax), made);
  const now = deps.clock.nowMicros();
  const session: ConsoleSession = {
    key: sessionKeyOf(secret),
    memberId: member.id,
    tokenId: made.core.token_id,
    salt,
    role: accessMark(member),
    credentialEntryId,
    expiresAt: now + seconds * MICROS_PER_SECOND,
    usedAt: now,
  };
  await deps.consoleSessions.add(workspace.id, session, now, now - idleSeconds * MICROS_PER_SECOND);
  const value = formatSessionSecret({ workspaceId: workspace.id, secret });
  return {
    status: 200,
    headers: { 'Set-Cookie': formatSessionCookie(value, seconds, deps.basePath) },
    body: toSessionResource(deps, { workspace, member, session, secret }),
  };
}

/** A session as its page sees it. */
export function toSessionResource(
  deps: Pick<ConsoleSessionDeps, 'asynchronousStandbys' | 'sessionLife'>,
  of: {
    readonly workspace: Workspace;
    readonly member: Proven['member'];
    readonly session: ConsoleSession;
    readonly secret: Uint8Array;
  },
): ConsoleSessionReply {
  const { workspace, member, session, secret } = of;
  const idleAt = session.usedAt + deps.sessionLife.idleSeconds * MICROS_PER_SECOND;
  return {
    workspace: { id: workspace.id, slug: workspace.slug, name: workspace.displayName },
    member: { id: member.id, name: member.username, role: member.role, access: accessOf(member) },
    csrf_token: csrfTokenOf(secret),
    expires_at: formatTimestamp(session.expiresAt),
    idle_expires_at: formatTimestamp(Math.min(idleAt, session.expiresAt)),
    asynchronous_standbys: deps.asynchronousStandbys(),
  };
}
