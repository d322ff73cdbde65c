import { type Actor, type Belonging, type MemberChange, ServiceError } from '@answer-evidence/contracts';
import type { Right } from '@answer-evidence/contracts/operations';
import { isActive, type MemberChangeSeen, type MemberState, refuseMember } from './members.ts';

/** What a second person is asked to approve: who asked, since when (microseconds), and which right the act needs. */
export type AskedAct = {
  readonly requester: Actor;
  readonly askedAt: number;
  readonly right: Right;
  readonly of?: Belonging | undefined;
};

/** What gives somebody a right that they did not have. */
const GIVES_RIGHTS: readonly MemberChange[] = ['added', 'role_changed', 'access_changed', 'enabled'];
/** What lets the one who did it sign in as somebody else. */
const GIVES_ENTRY: readonly MemberChange[] = ['password_link_issued', 'provider_linked'];

/**
 * Why somebody may not approve the act, if so: they asked for it themselves, by whatever token or session; they may not
 * do it; they came to be allowed only after it was asked for; or who asked has since made a way to sign in as them.
 */
export function refuseApprover(
  approver: Actor,
  members: readonly MemberState[],
  changes: readonly MemberChangeSeen[],
  asked: AskedAct,
): ServiceError | undefined {
  const refusal = refuseMember(approver, members, asked.right, asked.of);
  if (refusal !== undefined) return refusal;
  if (approver.kind !== 'user') return notAllowed('only a person can approve; sign in as a member');
  if (isSamePerson(approver.id, asked.requester, members))
    return notAllowed('who asked cannot approve, by whatever token or session; ask another person');
  const since = changes.filter(({ memberId, at }) => memberId === approver.id && at > asked.askedAt);
  if (since.some((seen) => seen.changes.some((change) => GIVES_RIGHTS.includes(change))))
    return notAllowed('you were given your role after this was asked for; let somebody decide who had theirs before');
  const isEntered = ({ actor, changes: made }: MemberChangeSeen) =>
    actor.id === asked.requester.id && made.some((change) => GIVES_ENTRY.includes(change));
  if (since.some(isEntered))
    return notAllowed('who asked has since changed how you sign in; let another person decide');
  return undefined;
}

/** Whether anybody else could approve the act if it were asked for now: may do it, and can sign in or has a token. */
export function hasApprover(members: readonly MemberState[], asked: AskedAct, at: number): boolean {
  return members.some(
    (state) =>
      canAct(state, at) &&
      refuseApprover({ kind: 'user', id: state.row.id, token_id: null }, members, [], asked) === undefined,
  );
}

function isSamePerson(id: string, requester: Actor, members: readonly MemberState[]): boolean {
  if (requester.kind === 'user' && requester.id === id) return true;
  const providerOf = (memberId: string) => members.find(({ row }) => row.id === memberId)?.provider;
  const [own, theirs] = [providerOf(id), providerOf(requester.id)];
  return own !== undefined && own.issuer === theirs?.issuer && own.subject === theirs.subject;
}

function canAct(state: MemberState, at: number): boolean {
  if (!isActive(state)) return false;
  if (state.credential?.kind === 'password' || state.provider !== undefined) return true;
  return state.tokens.some(({ expiresAt, goodUntil }) => goodUntil === undefined && expiresAt > at);
}

function notAllowed(detail: string): ServiceError {
  return new ServiceError('approval_not_allowed', detail);
}
