import { trimSlashes } from '@answer-evidence/encoding';
import type { ApplicationTokens, LoginThrottle, PasswordHasher, StageDeps, Workspace } from '@answer-evidence/ports';

/** What is told in public about the workspace that a host name stands for. */
export type HostWorkspace = Pick<Workspace, 'slug' | 'displayName'>;

/** What the stage needs from around it. */
export type WorkspaceDeps = StageDeps & {
  readonly applicationTokens: ApplicationTokens;
  readonly passwords: PasswordHasher;
  readonly loginThrottle: LoginThrottle;
  /**
   * Does what a sign-in of a device needs, address after address, so that one that asks very often holds up itself
   * alone. Rejects with `overloaded` when too much of an address waits. Left out: at once.
   */
  readonly inTurnOfAddress?: <T>(address: string, task: () => Promise<T>) => Promise<T>;
  /** How many members a workspace may have, and how many live tokens; absent: any number. */
  readonly membersMax?: number;
  readonly tokensMax?: number;
  /** The OpenID provider that members are linked at if a request names none; left out where people sign in at none. */
  readonly signInIssuer?: string;
  /** The workspace that a `Host` header selects; left out where tokens alone select it. */
  readonly workspaceOfHost?: (host: string | undefined) => Promise<HostWorkspace | undefined>;
  /** The public address of a workspace's API host; left out where the service was not told its own. */
  readonly publicUrl?: (slug: string) => string;
  /** Where links go that are made for people: the public address, else the one that the process listens at. */
  readonly linkUrl: (slug: string) => string;
};

/** Where a workspace's links begin, without a slash at the end. */
export function linkBaseOf(deps: Pick<WorkspaceDeps, 'linkUrl'>, workspace: { readonly slug: string }): string {
  return trimSlashes(deps.linkUrl(workspace.slug));
}

/** Does it when it is the address's turn, if there are turns. */
export function inTurnOfAddress<T>(
  deps: Pick<WorkspaceDeps, 'inTurnOfAddress'>,
  address: string,
  task: () => Promise<T>,
): Promise<T> {
  return deps.inTurnOfAddress === undefined ? task() : deps.inTurnOfAddress(address, task);
}
