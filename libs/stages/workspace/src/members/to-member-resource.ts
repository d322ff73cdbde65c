import { type Member, type MemberWithLink, type PasswordLink, ServiceError } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { accessOf } from '@answer-evidence/ledger';
import type { MemberStore, StoredMember } from '@answer-evidence/ports';
import type { RouteReply } from '@answer-evidence/routes';

/** A stored member as managers see them at this time, in microseconds. */
export function toMemberResource({ row, credential, provider }: StoredMember, nowMicros: number): Member {
  const time = (micros: number | null) => (micros === null ? null : formatTimestamp(micros));
  return {
    id: row.id,
    username: row.username,
    role: row.role,
    access: accessOf(row),
    disabled: row.disabled_at !== null,
    sign_in: signInOf(credential, nowMicros),
    created_at: formatTimestamp(row.created_at),
    disabled_at: time(row.disabled_at),
    removed_at: time(row.removed_at),
    provider: provider === undefined ? null : { issuer: provider.issuer, subject: provider.subject },
    role_source: row.role_source,
    // A member whom the log does not name yet has no version; the next start gives the first one.
    version: Math.max(1, row.version),
  };
}

function signInOf(credential: StoredMember['credential'], nowMicros: number): Member['sign_in'] {
  if (credential === undefined) return 'none';
  if (credential.password_hash !== null) return 'password';
  return nowMicros < (credential.link_expires_at ?? 0) ? 'link' : 'link_expired';
}

/** The strong entity tag (RFC 9110 section 8.8.3) of a version of a member. */
export function formatMemberTag(version: number): string {
  return `"m${version}"`;
}

/** What reading a member needs. */
type MemberReading = { readonly members: MemberStore; readonly clock: { nowMicros(): number } };

/** A current or removed member. Throws `not_found`. */
export async function getMember(deps: MemberReading, workspaceId: string, memberId: string): Promise<Member> {
  const stored = await deps.members.find(workspaceId, memberId);
  if (stored === undefined)
    throw new ServiceError('not_found', 'no such member exists in this workspace; check the id');
  return toMemberResource(stored, deps.clock.nowMicros());
}

/** The member, read again, with the link that was made for them a moment ago. */
export async function replyWithMember(
  deps: MemberReading,
  workspaceId: string,
  memberId: string,
  reply: { readonly status: 200 | 201; readonly link: PasswordLink | null },
): Promise<RouteReply> {
  const member = await getMember(deps, workspaceId, memberId);
  const body: MemberWithLink = { ...member, password_link: reply.link };
  return { status: reply.status, headers: { ETag: formatMemberTag(member.version) }, body };
}
