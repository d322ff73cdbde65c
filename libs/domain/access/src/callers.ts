import type { Actor, Role, Scope } from '@answer-evidence/contracts';

/** An authenticated caller: a user of a workspace, or an application bound to one key. Times in microseconds. */
export type Caller = UserCaller | ApplicationCaller;

/** A user API token's bearer. */
export type UserCaller = {
  readonly kind: 'user';
  readonly workspaceId: string;
  readonly tokenId: string;
  readonly userId: string;
  readonly username: string;
  readonly role: Role;
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

/** The caller as records and events name it. */
export function actorOf(caller: Caller): Actor {
  return caller.kind === 'user'
    ? { kind: 'user', id: caller.userId, token_id: caller.tokenId }
    : { kind: 'application', id: caller.applicationKey, token_id: caller.tokenId };
}
