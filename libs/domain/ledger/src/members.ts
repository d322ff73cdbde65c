import {
  type Actor,
  type Belonging,
  isWithin,
  type MemberChange,
  type ProviderLink,
  ServiceError,
} from '@answer-evidence/contracts';
import { ACCESS_MATRIX, outsideOfLimits, type Right, roleNotAllowed } from '@answer-evidence/contracts/operations';
import type { CredentialRow, MemberRow, ProviderLinkRow } from '@answer-evidence/tables';
import { accessOf } from './member-access.ts';

/** A member as a command must know them: their row, how they may sign in, and their tokens that could be good. */
export type MemberState = {
  readonly row: MemberRow;
  readonly credential: CredentialState | undefined;
  /** Who they are at an OpenID provider, and which entry said so. */
  readonly provider?: (ProviderLink & { readonly entryId: string }) | undefined;
  /** Expired ones may be among them. `goodUntil`: rotated, and good until then all the same. Times in microseconds. */
  readonly tokens: readonly { readonly id: string; readonly expiresAt: number; readonly goodUntil?: number }[];
};

/** A change of a member: who made it, and when, in microseconds. */
export type MemberChangeSeen = {
  readonly memberId: string;
  readonly changes: readonly MemberChange[];
  readonly actor: Actor;
  readonly at: number;
};

/** How a member may sign in, without any secret: which entry said so, and by a password or by a link to set one. */
type CredentialState = { readonly entryId: string; readonly kind: 'password' | 'link' };

/** Whether somebody is a member now: neither disabled nor removed. */
export function isActive({ row }: Pick<MemberState, 'row'>): boolean {
  return row.disabled_at === null && row.removed_at === null;
}

/** Whether somebody could act as a manager at this time: active, with a password, a provider or an unexpired token. */
export function isEffectiveManager(state: MemberState, at: number): boolean {
  if (state.row.role !== 'manager' || !isActive(state)) return false;
  if (state.credential?.kind === 'password' || state.provider !== undefined) return true;
  return state.tokens.some(({ expiresAt, goodUntil }) => goodUntil === undefined && expiresAt > at);
}

/**
 * Why somebody may not do something now, if so. Their token said that they may up to a few seconds ago; under the lock
 * it is known, so that nobody whose role was taken a moment ago leaves behind what outlives their tokens. The service
 * itself always may, and an application by its token.
 */
export function refuseMember(
  actor: Actor,
  members: readonly Pick<MemberState, 'row'>[],
  right: Right,
  of?: Belonging,
): ServiceError | undefined {
  if (actor.kind !== 'user') return undefined;
  const state = members.find(({ row }) => row.id === actor.id);
  if (state === undefined || !isActive(state))
    return new ServiceError('unauthenticated', 'the user is no longer a member; ask a tenant manager');
  const access = accessOf(state.row);
  if (!ACCESS_MATRIX[right].people.includes(access.role)) return roleNotAllowed(right);
  if (of === undefined || isWithin(access, of)) return undefined;
  return outsideOfLimits(access);
}

/** What the MAC of a credential is made over, under the label `member_credentials`. */
export function credentialMacParts(row: Omit<CredentialRow, 'mac'>): readonly (string | number | Uint8Array)[] {
  return [
    row.member_id,
    row.entry_id,
    row.password_hash ?? '',
    row.link_hash ?? new Uint8Array(),
    row.link_expires_at ?? -1,
  ];
}

/** What the MAC of a provider link is made over, under the label `provider_links`. */
export function providerLinkMacParts(row: Omit<ProviderLinkRow, 'mac'>): readonly string[] {
  return [row.member_id, row.entry_id, row.issuer, row.subject];
}
