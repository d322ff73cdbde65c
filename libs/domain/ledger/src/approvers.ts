import {
  type Actor,
  type Belonging,
  type MemberChange,
  PASSWORD_LINK_LIFE_SECONDS,
  ServiceError,
} from '@answer-evidence/contracts';
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
const LINK_LIFE_MICROS = PASSWORD_LINK_LIFE_SECONDS * 1_000_000;

/** From when on changes of members tell who may approve what was asked for then: both in microseconds. */
export function changesSince(askedAt: number): number {
  return Math.max(0, askedAt - LINK_LIFE_MICROS);
}

/**
 * Why somebody may not approve the act, if so: they asked for it themselves, by whatever token or session; they may not
 * do it; they came to be allowed only after it was asked for; or who asked has since had a way to sign in as them.
 * @param changes from `changesSince` on, in their order
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
  const own = changes.filter(({ memberId }) => memberId === approver.id);
  const since = own.filter(({ at }) => at > asked.askedAt);
  if (since.some((seen) => seen.changes.some((change) => GIVES_RIGHTS.includes(change))))
    return notAllowed('you were given your role after this was asked for; let somebody decide who had theirs before');
  const isEntered = ({ actor, changes: made }: MemberChangeSeen) =>
    actor.id === asked.requester.id && made.some((change) => GIVES_ENTRY.includes(change));
  if (since.some(isEntered) || isEntryOpen(own, asked))
    return notAllowed('who asked has since changed how you sign in; let another person decide');
  return undefined;
}

/** Whether who asked had made a link for the member before, which nobody had used until then. */
function isEntryOpen(own: readonly MemberChangeSeen[], { requester, askedAt }: AskedAct): boolean {
  const before = own.filter(({ at }) => at <= askedAt && at > changesSince(askedAt));
  const last = before.findLast(({ changes }) =>
    changes.some((change) => change === 'password_link_issued' || change === 'password_set'),
  );
  return last?.actor.id === requester.id && last.changes.includes('password_link_issued');
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
