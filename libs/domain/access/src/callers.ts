import {
  type Actor,
  type Limits,
  type MemberAccess,
  type MemberRole,
  NO_LIMITS,
  type Scope,
} from '@answer-evidence/contracts';

/** An authenticated caller: a user of a workspace, or an application bound to one key. Times in microseconds. */
export type Caller = UserCaller | ApplicationCaller;

/** A user API token's bearer. */
export type UserCaller = {
  readonly kind: 'user';
  readonly workspaceId: string;
  readonly tokenId: string;
  readonly userId: string;
  readonly username: string;
  readonly role: MemberRole;
  /** Where they may act; absent: everywhere. */
  readonly limits?: Limits;
  readonly expiresAt: number;
};

/** An application JWT's bearer. */
export type ApplicationCaller = {
  readonly kind: 'application';
  readonly workspaceId: string;
  readonly tokenId: string;
  readonly applicationKey: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number;
};

/** What a user may do, and where, as the API says it. */
export function accessOf({ role, limits = NO_LIMITS }: UserCaller): MemberAccess {
  const copied = (names: readonly string[] | null) => (names === null ? null : [...names]);
  return { role, applications: copied(limits.applications), environments: copied(limits.environments) };
}

/** The caller as records and events name it. */
export function actorOf(caller: Caller): Actor {
  return caller.kind === 'user'
    ? { kind: 'user', id: caller.userId, token_id: caller.tokenId }
    : { kind: 'application', id: caller.applicationKey, token_id: caller.tokenId };
}
